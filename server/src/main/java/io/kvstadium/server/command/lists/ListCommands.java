package io.kvstadium.server.command.lists;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ManyPop;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredList;
import io.kvstadium.transfer.redis.Decimal;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on lists that do not wait. */
public final class ListCommands {
  private ListCommands() {}

  public static void push(Call call, boolean left) {
    push(call, StoredList.findOrMake(call.keys(), call.arg(1)), left);
  }

  public static void push(Call call, StoredList list, boolean left) {
    for (int i = 2; i < call.size(); i++) {
      list.push(call.arg(i), left);
    }
    list.save();
    call.reply().integer(list.count());
  }

  public static void pushx(Call call, boolean left) {
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    if (list == null) {
      call.reply().integer(0);
    } else {
      push(call, list, left);
    }
  }

  /** Takes one element from a list that has some. */
  public static byte[] pop(StoredList list, boolean left) {
    byte[] value = list.pop(1, left).getFirst();
    list.save();
    return value;
  }

  /** Takes elements and answers with them. */
  public static void pop(Call call, StoredList list, long many, boolean left) {
    List<byte[]> values = list.pop(Math.min(many, list.count()), left);
    list.save();
    bulks(call, values);
  }

  private static void bulks(Call call, List<byte[]> values) {
    call.reply().array(values.size());
    values.forEach(call.reply()::bulk);
  }

  public static void pop(Call call, boolean left) {
    if (call.size() > 3) {
      throw ReplyException.arity(call.command().name());
    }
    boolean several = call.size() == 3;
    long many = several ? Numbers.positive(call.arg(2)) : 1;
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    if (!several) {
      call.reply().bulk(list == null ? null : pop(list, left));
    } else if (list == null) {
      call.reply().nilArray();
    } else if (many == 0) {
      call.reply().array(0);
    } else {
      pop(call, list, many, left);
    }
  }

  public static void llen(Call call) {
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    call.reply().integer(list == null ? 0 : list.count());
  }

  public static void lrange(Call call) {
    long start = call.integer(2);
    long stop = call.integer(3);
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    long from = list == null ? 0 : Math.max(0, list.position(start));
    long to = list == null ? -1 : Math.min(list.count() - 1, list.position(stop));
    if (list == null || from > to) {
      call.reply().array(0);
      return;
    }
    call.reply().array(Math.toIntExact(to - from + 1));
    try (Walk walk = list.walk(from, to, false)) {
      while (walk.next()) {
        call.reply().bulk(walk.value());
      }
    }
  }

  public static void lindex(Call call) {
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    long at = list == null ? -1 : list.position(call.integer(2));
    call.reply().bulk(list == null || at < 0 || at >= list.count() ? null : list.get(at));
  }

  public static void lset(Call call) {
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    if (list == null) {
      throw ReplyException.noSuchKey();
    }
    long at = list.position(call.integer(2));
    if (at < 0 || at >= list.count()) {
      throw ReplyException.error("index out of range");
    }
    list.set(at, call.arg(3));
    list.save();
    call.reply().ok();
  }

  public static void linsert(Call call) {
    boolean after = call.lowerCase(2).equals("after");
    if (!after && !call.lowerCase(2).equals("before")) {
      throw ReplyException.syntax();
    }
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    if (list == null) {
      call.reply().integer(0);
      return;
    }
    List<Long> found = places(list, call.arg(3), false, 1, list.count());
    if (found.isEmpty()) {
      call.reply().integer(-1);
      return;
    }
    list.insert(found.getFirst() + (after ? 1 : 0), call.arg(4));
    list.save();
    call.reply().integer(list.count());
  }

  /**
   * The positions of elements that equal a value, in the order in which they are found.
   *
   * @param max how many to find at most
   * @param visited how many elements to check
   */
  private static List<Long> places(
      StoredList list, byte[] value, boolean fromEnd, long max, long visited) {
    List<Long> found = new ArrayList<>();
    long compared = Math.min(visited, list.count());
    if (compared == 0) {
      return found;
    }
    long at = fromEnd ? list.count() - 1 : 0;
    try (Walk walk =
        fromEnd
            ? list.walk(list.count() - compared, at, true)
            : list.walk(0, compared - 1, false)) {
      for (; found.size() < max && walk.next(); at += fromEnd ? -1 : 1) {
        if (Arrays.equals(value, walk.value())) {
          found.add(at);
        }
      }
    }
    return found;
  }

  public static void lrem(Call call) {
    long count = call.integer(2);
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    if (list == null) {
      call.reply().integer(0);
      return;
    }
    long max = count == 0 || count == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(count);
    List<Long> found = places(list, call.arg(3), count < 0, max, list.count());
    if (!found.isEmpty()) {
      list.remove(count < 0 ? found.reversed() : found);
      list.save();
    }
    call.reply().integer(found.size());
  }

  public static void ltrim(Call call) {
    long start = call.integer(2);
    long stop = call.integer(3);
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    if (list != null) {
      long from = Math.max(0, list.position(start));
      long to = Math.min(list.count() - 1, list.position(stop));
      if (from > 0 || to < list.count() - 1) {
        list.trim(from, to);
      }
      list.save(); // in any case: for WATCH it is a change, as in Redis
    }
    call.reply().ok();
  }

  public static void lpos(Call call) {
    long rank = 1;
    long count = -1;
    long compared = 0;
    for (int i = 3; i < call.size(); i += 2) {
      if (i + 1 == call.size()) {
        throw ReplyException.syntax();
      }
      switch (call.lowerCase(i)) {
        case "rank" -> {
          rank = call.integer(i + 1);
          if (rank == Long.MIN_VALUE) {
            throw ReplyException.error(
                "value is out of range, value must between %d and %d",
                -Long.MAX_VALUE, Long.MAX_VALUE);
          }
          if (rank == 0) {
            throw ReplyException.error(
                "RANK can't be zero: use 1 to start from the first match, 2 from the second ... or"
                    + " use negative to start from the end of the list");
          }
        }
        case "count" -> count = notNegative(call.arg(i + 1), "COUNT can't be negative");
        case "maxlen" -> compared = notNegative(call.arg(i + 1), "MAXLEN can't be negative");
        default -> throw ReplyException.syntax();
      }
    }
    StoredList list = StoredList.find(call.keys(), call.arg(1));
    long skipped = Math.abs(rank) - 1;
    long max = count < 0 ? 1 : count == 0 ? Long.MAX_VALUE : count;
    List<Long> found =
        list == null
            ? List.of()
            : places(
                list,
                call.arg(2),
                rank < 0,
                max > Long.MAX_VALUE - skipped ? Long.MAX_VALUE : max + skipped,
                compared == 0 ? list.count() : compared);
    List<Long> wanted = found.subList((int) Math.min(skipped, found.size()), found.size());
    if (count >= 0) {
      call.reply().array(wanted.size());
      wanted.forEach(call.reply()::integer);
    } else if (wanted.isEmpty()) {
      call.reply().nil();
    } else {
      call.reply().integer(wanted.getFirst());
    }
  }

  private static long notNegative(byte[] text, String error) {
    long value = Decimal.integer(text, -1);
    if (value < 0) {
      throw ReplyException.error(error);
    }
    return value;
  }

  /** Whether an argument means the left end. */
  public static boolean left(Call call, int i) {
    return switch (call.lowerCase(i)) {
      case "left" -> true;
      case "right" -> false;
      default -> throw ReplyException.syntax();
    };
  }

  public static void lmove(Call call) {
    moveOrNil(call, left(call, 3), left(call, 4));
  }

  public static void rpoplpush(Call call) {
    moveOrNil(call, false, true);
  }

  static void moveOrNil(Call call, boolean fromLeft, boolean toLeft) {
    if (call.keys().find(call.arg(1), Kind.LIST) == null) {
      call.reply().nil();
    } else {
      move(call, fromLeft, toLeft);
    }
  }

  /** Moves an element from the list at the first key, which has some, to that at the second. */
  static void move(Call call, boolean fromLeft, boolean toLeft) {
    StoredList from = StoredList.findOrMake(call.keys(), call.arg(1));
    byte[] value;
    if (Arrays.equals(call.arg(1), call.arg(2))) {
      // in one step, so that the key never disappears and keeps its expiry
      value = from.get(fromLeft ? 0 : from.count() - 1);
      if (from.count() > 1) {
        from.pop(1, fromLeft);
        from.push(value, toLeft);
      }
      from.save();
    } else {
      StoredList to = StoredList.findOrMake(call.keys(), call.arg(2));
      value = from.pop(1, fromLeft).getFirst();
      to.push(value, toLeft);
      to.save(); // first, so that it is reported first
      from.save();
    }
    call.reply().bulk(value);
  }

  public static void lmpop(Call call) {
    ManyPop pop = ManyPop.of(call, 1, "left", "right");
    byte @Nullable [] key = pop.firstOf(call, Kind.LIST);
    if (key == null) {
      call.reply().nilArray();
    } else {
      pop(call, key, pop);
    }
  }

  /** Answers with a key and what was taken from the list that it holds. */
  public static void pop(Call call, byte[] key, ManyPop pop) {
    call.reply().array(2);
    call.reply().bulk(key);
    pop(call, StoredList.findOrMake(call.keys(), key), pop.max(), pop.low());
  }
}

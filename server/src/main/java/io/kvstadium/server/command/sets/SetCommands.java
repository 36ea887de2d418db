package io.kvstadium.server.command.sets;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.hashes.HashCommands;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredHash;
import io.kvstadium.server.value.StoredHash.Member;
import io.kvstadium.transfer.redis.Decimal;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Commands on sets. */
public final class SetCommands {
  private SetCommands() {}

  private interface Algebra {
    Collection<Bytes> of(List<StoredHash> sets);
  }

  private static void show(Call call, Algebra algebra) {
    Collection<Bytes> found = algebra.of(sets(call, 1, call.size()));
    call.reply().set(found.size());
    found.forEach(each -> call.reply().bulk(each.value()));
  }

  private static void store(Call call, Algebra algebra) {
    Collection<Bytes> found = algebra.of(sets(call, 2, call.size()));
    StoredHash target = StoredHash.replacing(call.keys(), call.arg(1), Kind.SET);
    found.forEach(each -> target.add(each.value()));
    target.save();
    call.reply().integer(found.size());
  }

  public static void sunion(Call call) {
    show(call, SetCommands::union);
  }

  public static void sinter(Call call) {
    show(call, SetCommands::intersection);
  }

  public static void sdiff(Call call) {
    show(call, SetCommands::difference);
  }

  public static void sunionstore(Call call) {
    store(call, SetCommands::union);
  }

  public static void sinterstore(Call call) {
    store(call, SetCommands::intersection);
  }

  public static void sdiffstore(Call call) {
    store(call, SetCommands::difference);
  }

  public static StoredHash set(Call call) {
    return StoredHash.of(call.keys(), call.arg(1), Kind.SET);
  }

  private static List<StoredHash> sets(Call call, int from, int to) {
    List<StoredHash> sets = new ArrayList<>();
    for (int i = from; i < to; i++) {
      sets.add(StoredHash.of(call.keys(), call.arg(i), Kind.SET));
    }
    return sets;
  }

  private static Set<Bytes> union(List<StoredHash> sets) {
    Set<Bytes> all = new LinkedHashSet<>();
    sets.forEach(each -> each.all().forEach(member -> all.add(new Bytes(member.name()))));
    return all;
  }

  private static List<Bytes> intersection(List<StoredHash> sets) {
    return intersection(sets, Long.MAX_VALUE);
  }

  private static List<Bytes> intersection(List<StoredHash> sets, long max) {
    List<StoredHash> others = new ArrayList<>(sets);
    others.sort(Comparator.comparingLong(StoredHash::count));
    StoredHash min = others.removeFirst();
    return kept(min, name -> others.stream().allMatch(each -> each.has(name)), max);
  }

  private static List<Bytes> difference(List<StoredHash> sets) {
    List<StoredHash> others = sets.subList(1, sets.size());
    return kept(
        sets.getFirst(), name -> others.stream().noneMatch(each -> each.has(name)), Long.MAX_VALUE);
  }

  private interface Test {
    boolean of(byte[] name);
  }

  private static List<Bytes> kept(StoredHash of, Test test, long max) {
    List<Bytes> found = new ArrayList<>();
    of.scan(
        new byte[0],
        null,
        (name, _) -> {
          if (test.of(name)) {
            found.add(new Bytes(name));
          }
          return found.size() < max;
        });
    return found;
  }

  public static void sadd(Call call) {
    StoredHash set = set(call);
    int added = 0;
    for (int i = 2; i < call.size(); i++) {
      added += set.add(call.arg(i)) ? 1 : 0;
    }
    set.save();
    call.reply().integer(added);
  }

  public static void srem(Call call) {
    StoredHash set = set(call);
    int removed = 0;
    for (int i = 2; i < call.size(); i++) {
      removed += set.remove(call.arg(i)) ? 1 : 0;
    }
    set.save();
    call.reply().integer(removed);
  }

  public static void smismember(Call call) {
    StoredHash set = set(call);
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      call.reply().integer(set.has(call.arg(i)) ? 1 : 0);
    }
  }

  public static void smembers(Call call) {
    List<Member> all = set(call).all();
    call.reply().set(all.size());
    all.forEach(each -> call.reply().bulk(each.name()));
  }

  public static void spop(Call call) {
    if (call.size() == 2) {
      StoredHash set = set(call);
      byte[] found = set.random();
      if (found != null) {
        set.remove(found);
        set.save();
      }
      call.reply().bulk(found);
      return;
    }
    if (call.size() > 3) {
      throw ReplyException.syntax();
    }
    long count = Decimal.integer(call.arg(2), -1);
    if (count < 0) {
      throw ReplyException.error("value is out of range, must be positive");
    }
    StoredHash set = set(call);
    List<Member> found = set.random(count);
    found.forEach(each -> set.remove(each.name()));
    set.save();
    call.reply().set(found.size());
    found.forEach(each -> call.reply().bulk(each.name()));
  }

  public static void srandmember(Call call) {
    if (call.size() > 3) {
      throw ReplyException.syntax();
    }
    if (call.size() == 2) {
      call.reply().bulk(set(call).random());
      return;
    }
    long count = HashCommands.count(call, 2, 1);
    List<Member> found = set(call).random(count);
    call.reply().array(found.size());
    found.forEach(each -> call.reply().bulk(each.name()));
  }

  public static void smove(Call call) {
    Keyspace keys = call.keys();
    byte[] member = call.arg(3);
    if (keys.head(call.arg(1)) == null) {
      call.reply().integer(0);
      return;
    }
    StoredHash from = set(call);
    StoredHash to = StoredHash.of(call.keys(), call.arg(2), Kind.SET);
    boolean moves = from.has(member);
    if (moves && !Arrays.equals(call.arg(1), call.arg(2))) {
      from.remove(member);
      from.save();
      to.add(member);
      to.save();
    }
    call.reply().integer(moves ? 1 : 0);
  }

  public static void sintercard(Call call) {
    long number = Decimal.integer(call.arg(1), -1);
    if (number <= 0) {
      throw ReplyException.error("numkeys should be greater than 0");
    }
    if (number > call.size() - 2) {
      throw ReplyException.error("Number of keys can't be greater than number of args");
    }
    int end = 2 + (int) number;
    long max = 0;
    for (int i = end; i < call.size(); i += 2) {
      if (!call.lowerCase(i).equals("limit") || i + 1 == call.size()) {
        throw ReplyException.syntax();
      }
      max = Decimal.integer(call.arg(i + 1), -1);
      if (max < 0) {
        throw ReplyException.error("LIMIT can't be negative");
      }
    }
    long limit = max == 0 ? Long.MAX_VALUE : max;
    call.reply().integer(intersection(sets(call, 2, end), limit).size());
  }
}

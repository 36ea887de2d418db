package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredHash;
import io.kvstadium.server.value.StoredHash.Member;
import io.kvstadium.server.value.StoredList;
import io.kvstadium.server.value.StoredSortedSet;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SORT and SORT_RO. */
public final class SortCommands {
  private SortCommands() {}

  /** An element with its sort key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Weighed(byte[] element, byte @Nullable [] text, double number) {}

  /** One request. */
  public static final class Sorting {
    private final Call call;
    private final List<byte[]> gets = new ArrayList<>();
    private byte @Nullable [] by;
    private byte @Nullable [] target;
    private boolean sorts = true;
    private boolean alphabetic;
    private boolean descending;
    private long skipped;
    private long max = -1;

    public Sorting(Call call, boolean mayStore) {
      this.call = call;
      for (int i = 2; i < call.size(); i++) {
        int left = call.size() - i - 1;
        String option = call.lowerCase(i);
        if (option.equals("asc") || option.equals("desc")) {
          descending = option.equals("desc");
        } else if (option.equals("alpha")) {
          alphabetic = true;
        } else if (option.equals("limit") && left >= 2) {
          skipped = call.integer(++i);
          max = call.integer(++i);
        } else if (option.equals("store") && mayStore && left >= 1) {
          target = call.arg(++i);
        } else if (option.equals("by") && left >= 1) {
          by = call.arg(++i);
          sorts = star(by) >= 0;
          check(!sorts, "BY");
        } else if (option.equals("get") && left >= 1) {
          gets.add(call.arg(++i));
          check(false, "GET");
        } else {
          throw ReplyException.syntax();
        }
      }
    }

    /** Keys that are not in the request are read: only users that may read all keys can do that. */
    private void check(boolean harmless, String option) {
      if (!harmless && !call.server().access().mayReadAll(call.client())) {
        throw ReplyException.error(
            "%s option of SORT denied due to insufficient ACL permissions.", option);
      }
    }

    public void run() {
      StoredValue storedValue = call.keys().head(call.arg(1));
      List<byte[]> elements = elements(storedValue);
      if (!sorts && storedValue != null && storedValue.kind() == Kind.SET && target != null) {
        sorts = true; // so that the stored list has an order
        alphabetic = true;
        by = null;
      }
      if (sorts) {
        elements = sorted(elements);
      } else if (descending && storedValue != null && storedValue.kind() != Kind.SET) {
        elements = elements.reversed();
      }
      answer(limited(elements));
    }

    private List<byte[]> elements(@Nullable StoredValue storedValue) {
      if (storedValue == null) {
        return List.of();
      }
      return switch (storedValue.kind()) {
        case LIST -> {
          StoredList list = StoredList.findOrMake(call.keys(), call.arg(1));
          yield list.values(0, list.count() - 1, false);
        }
        case SET ->
            StoredHash.of(call.keys(), call.arg(1), Kind.SET).all().stream()
                .map(Member::name)
                .toList();
        case ZSET ->
            StoredSortedSet.findOrMake(call.keys(), call.arg(1)).all().stream()
                .map(Scored::member)
                .toList();
        default -> throw ReplyException.wrongType();
      };
    }

    private List<byte[]> sorted(List<byte[]> elements) {
      List<Weighed> weighed = new ArrayList<>();
      for (byte[] each : elements) {
        byte[] weight = by == null ? each : lookedUp(by, each);
        weighed.add(new Weighed(each, weight, alphabetic || weight == null ? 0 : number(weight)));
      }
      Comparator<Weighed> order =
          alphabetic
              ? (one, other) -> compare(one.text(), other.text())
              : Comparator.comparingDouble(Weighed::number)
                  .thenComparing(Weighed::element, Arrays::compareUnsigned);
      weighed.sort(descending ? order.reversed() : order);
      return weighed.stream().map(Weighed::element).toList();
    }

    /** What is missing comes first. */
    private static int compare(byte @Nullable [] one, byte @Nullable [] other) {
      if (one == null || other == null) {
        return Boolean.compare(one != null, other != null);
      }
      return Arrays.compareUnsigned(one, other);
    }

    private static double number(byte[] text) {
      if (text.length == 0) {
        return 0; // so does C
      }
      if (!Numbers.isReal(text)) {
        throw ReplyException.error("One or more scores can't be converted into double");
      }
      return Numbers.real(text) + 0.0;
    }

    private List<byte[]> limited(List<byte[]> elements) {
      int from = Math.clamp(skipped, 0, elements.size());
      long end = max < 0 ? elements.size() : from + Math.min(max, elements.size());
      return elements.subList(from, (int) Math.min(end, elements.size()));
    }

    private void answer(List<byte[]> elements) {
      List<byte @Nullable []> found = new ArrayList<>();
      for (byte[] each : elements) {
        if (gets.isEmpty()) {
          found.add(each);
        }
        for (byte[] get : gets) {
          found.add(lookedUp(get, each));
        }
      }
      if (target == null) {
        call.reply().array(found.size());
        found.forEach(call.reply()::bulk);
        return;
      }
      call.keys().remove(target);
      if (!found.isEmpty()) {
        StoredList list = StoredList.findOrMake(call.keys(), target);
        found.forEach(each -> list.push(each == null ? new byte[0] : each, false));
        list.save();
      }
      call.reply().integer(found.size());
    }

    /** The position of a pattern's star; -1 if there is none. */
    private static int star(byte[] pattern) {
      int at = 0;
      while (at < pattern.length && pattern[at] != '*') {
        at++;
      }
      return at < pattern.length ? at : -1;
    }

    /** The value that a pattern points to, with an element in the place of its star. */
    private byte @Nullable [] lookedUp(byte[] pattern, byte[] element) {
      if (pattern.length == 1 && pattern[0] == '#') {
        return element;
      }
      int star = star(pattern);
      if (star < 0) {
        return null;
      }
      int arrow = arrow(pattern, star + 1);
      byte[] key = new byte[arrow - 1 + element.length];
      System.arraycopy(pattern, 0, key, 0, star);
      System.arraycopy(element, 0, key, star, element.length);
      System.arraycopy(pattern, star + 1, key, star + element.length, arrow - star - 1);
      StoredValue storedValue = call.keys().find(key);
      if (arrow == pattern.length) {
        return storedValue == null || storedValue.kind() != Kind.STRING
            ? null
            : storedValue.value();
      }
      return storedValue == null || storedValue.kind() != Kind.HASH
          ? null
          : StoredHash.of(call.keys(), key, Kind.HASH)
              .get(Arrays.copyOfRange(pattern, arrow + 2, pattern.length));
    }

    /** Where {@code ->field} begins, or the end of the pattern. */
    private static int arrow(byte[] pattern, int from) {
      for (int i = from; i + 2 < pattern.length; i++) {
        if (pattern[i] == '-' && pattern[i + 1] == '>') {
          return i;
        }
      }
      return pattern.length;
    }
  }
}

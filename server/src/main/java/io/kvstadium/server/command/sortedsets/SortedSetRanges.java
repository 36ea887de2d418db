package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.Bounds;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredSortedSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands on ranges of sorted sets: by rank, score or name. */
public final class SortedSetRanges {
  public enum Order {
    RANK,
    SCORE,
    NAME
  }

  private SortedSetRanges() {}

  /**
   * The arguments of a request.
   *
   * @param start of ranks; other orders have {@code bounds}
   */
  private record Wanted(
      @Nullable Bounds bounds,
      long start,
      long stop,
      boolean reversed,
      long skipped,
      long max,
      boolean scored) {

    /** Reads a request; the order is fixed or, if that is {@code null}, given by its options. */
    static Wanted of(Call call, int first, @Nullable Order fixed, boolean reversed, boolean shown) {
      Order order = fixed;
      boolean backwards = reversed;
      boolean scored = false;
      long skipped = 0;
      long max = -1;
      for (int i = first + 2; i < call.size(); i++) {
        String option = call.lowerCase(i);
        if (shown && option.equals("withscores")) {
          scored = true;
        } else if (option.equals("limit") && i + 2 < call.size()) {
          skipped = call.integer(++i);
          max = call.integer(++i);
        } else if (fixed == null && !backwards && option.equals("rev")) {
          backwards = true;
        } else if (order == null && option.equals("byscore")) {
          order = Order.SCORE;
        } else if (order == null && option.equals("bylex")) {
          order = Order.NAME;
        } else {
          throw ReplyException.syntax();
        }
      }
      if (max != -1 && (order == null || order == Order.RANK)) {
        throw ReplyException.error(
            "syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
      }
      if (scored && order == Order.NAME) {
        throw ReplyException.error(
            "syntax error, WITHSCORES not supported in combination with BYLEX");
      }
      if (order == null || order == Order.RANK) {
        return new Wanted(
            null, call.integer(first), call.integer(first + 1), backwards, 0, -1, scored);
      }
      return new Wanted(
          parsed(call, order, backwards ? first + 1 : first, backwards ? first : first + 1),
          0,
          0,
          backwards,
          skipped,
          max,
          scored);
    }

    List<Scored> of(@Nullable StoredSortedSet set) {
      if (set == null) {
        return List.of();
      }
      return bounds == null
          ? ranked(set, start, stop, reversed)
          : set.within(bounds, reversed, skipped, max);
    }
  }

  private static Bounds parsed(Call call, Order order, int min, int max) {
    return order == Order.SCORE
        ? Bounds.ByScore.of(call.arg(min), call.arg(max))
        : Bounds.ByName.of(call.arg(min), call.arg(max));
  }

  private static List<Scored> ranked(StoredSortedSet set, long start, long stop, boolean reversed) {
    long from = Math.max(0, start < 0 ? set.count() + start : start);
    long to = Math.min(set.count() - 1, stop < 0 ? set.count() + stop : stop);
    return from > to ? List.of() : set.ranked(from, to, reversed);
  }

  public static void range(Call call, @Nullable Order order, boolean reversed) {
    Wanted wanted = Wanted.of(call, 2, order, reversed, true);
    List<Scored> found = wanted.of(StoredSortedSet.find(call.keys(), call.arg(1)));
    if (wanted.scored()) {
      Scored.pairs(call.reply(), found, false);
    } else {
      Scored.members(call.reply(), found);
    }
  }

  public static void zrangestore(Call call) {
    Wanted wanted = Wanted.of(call, 3, null, false, false);
    List<Scored> found = wanted.of(StoredSortedSet.find(call.keys(), call.arg(2)));
    StoredSortedSet.replace(call.keys(), call.arg(1), found);
    call.reply().integer(found.size());
  }

  public static void count(Call call, Order order) {
    Bounds bounds = parsed(call, order, 2, 3);
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    call.reply().integer(set == null ? 0 : set.count(bounds));
  }

  public static void remove(Call call, Order order) {
    Wanted wanted =
        order == Order.RANK
            ? new Wanted(null, call.integer(2), call.integer(3), false, 0, -1, false)
            : new Wanted(parsed(call, order, 2, 3), 0, 0, false, 0, -1, false);
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    List<Scored> found = wanted.of(set);
    if (set != null && !found.isEmpty()) {
      set.removeAll(found);
    }
    call.reply().integer(found.size());
  }
}

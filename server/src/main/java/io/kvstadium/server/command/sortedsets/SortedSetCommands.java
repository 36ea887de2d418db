package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ManyPop;
import io.kvstadium.server.command.ScanOptions;
import io.kvstadium.server.database.Cursors;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredSortedSet;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Commands on single members of sorted sets. */
public final class SortedSetCommands {
  /** Members may be repeated: without a bound, one request could ask for any amount of memory. */
  private static final int MAX_RANDOM = 1 << 20;

  private SortedSetCommands() {}

  /** The options of ZADD. */
  private static final class Conditions {
    private boolean onlyNew;
    private boolean onlyOld;
    private boolean onlyGreater;
    private boolean onlyLess;
    private boolean countsChanged;
    private boolean increments;

    /** Whether an argument is an option. */
    boolean take(String argument) {
      switch (argument) {
        case "nx" -> onlyNew = true;
        case "xx" -> onlyOld = true;
        case "gt" -> onlyGreater = true;
        case "lt" -> onlyLess = true;
        case "ch" -> countsChanged = true;
        case "incr" -> increments = true;
        default -> {
          return false;
        }
      }
      return true;
    }

    void check(int arguments) {
      if (arguments == 0 || arguments % 2 != 0) {
        throw ReplyException.syntax();
      }
      if (onlyNew && onlyOld) {
        throw ReplyException.error("XX and NX options at the same time are not compatible");
      }
      if ((onlyNew && (onlyGreater || onlyLess)) || (onlyGreater && onlyLess)) {
        throw ReplyException.error("GT, LT, and/or NX options at the same time are not compatible");
      }
      if (increments && arguments > 2) {
        throw ReplyException.error("INCR option supports a single increment-element pair");
      }
    }

    boolean allow(@Nullable Double old, double score) {
      return old == null
          ? !onlyOld
          : !onlyNew && (!onlyGreater || score > old) && (!onlyLess || score < old);
    }
  }

  public static void zadd(Call call) {
    Conditions conditions = new Conditions();
    int from = 2;
    while (from < call.size() && conditions.take(call.lowerCase(from))) {
      from++;
    }
    conditions.check(call.size() - from);
    add(call, from, conditions);
  }

  public static void zincrby(Call call) {
    Conditions conditions = new Conditions();
    conditions.increments = true;
    add(call, 2, conditions);
  }

  /** Adds pairs of a score and a member. */
  private static void add(Call call, int from, Conditions conditions) {
    double[] scores = new double[(call.size() - from) / 2];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = Numbers.real(call.arg(from + 2 * i));
    }
    StoredSortedSet set =
        conditions.onlyOld
            ? StoredSortedSet.find(call.keys(), call.arg(1))
            : StoredSortedSet.findOrMake(call.keys(), call.arg(1));
    int added = 0;
    int updated = 0;
    Double result = null;
    for (int i = 0; i < scores.length && set != null; i++) {
      byte[] member = call.arg(from + 2 * i + 1);
      Double old = set.score(member);
      double score = conditions.increments && old != null ? old + scores[i] : scores[i];
      if (Double.isNaN(score)) {
        throw ReplyException.error("resulting score is not a number (NaN)");
      }
      if (!conditions.allow(old, score)) {
        continue;
      }
      result = score;
      if (old == null || old != score) {
        set.put(member, score);
        added += old == null ? 1 : 0;
        updated += old == null ? 0 : 1;
      }
    }
    if (set != null && added + updated > 0) {
      set.save();
    }
    if (!conditions.increments) {
      call.reply().integer(conditions.countsChanged ? added + updated : added);
    } else if (result == null) {
      call.reply().nil();
    } else {
      call.reply().real(result);
    }
  }

  public static void zrem(Call call) {
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    int removed = 0;
    for (int i = 2; i < call.size() && set != null; i++) {
      Double score = set.score(call.arg(i));
      if (score != null) {
        set.remove(new Scored(call.arg(i), score));
        removed++;
      }
    }
    if (set != null && removed > 0) {
      set.save();
    }
    call.reply().integer(removed);
  }

  public static void zcard(Call call) {
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    call.reply().integer(set == null ? 0 : set.count());
  }

  private static void score(Call call, @Nullable StoredSortedSet set, byte[] member) {
    Double score = set == null ? null : set.score(member);
    if (score == null) {
      call.reply().nil();
    } else {
      call.reply().real(score);
    }
  }

  public static void zscore(Call call) {
    score(call, StoredSortedSet.find(call.keys(), call.arg(1)), call.arg(2));
  }

  public static void zmscore(Call call) {
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      score(call, set, call.arg(i));
    }
  }

  public static void rank(Call call, boolean reversed) {
    boolean scored = call.size() == 4 && call.lowerCase(3).equals("withscore");
    if (call.size() > 4) {
      throw ReplyException.arity(call.command().name());
    }
    if (call.size() == 4 && !scored) {
      throw ReplyException.syntax();
    }
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    Double score = set == null ? null : set.score(call.arg(2));
    if (set == null || score == null) {
      if (scored) {
        call.reply().nilArray();
      } else {
        call.reply().nil();
      }
      return;
    }
    long rank = set.rank(new Scored(call.arg(2), score));
    if (scored) {
      call.reply().array(2);
    }
    call.reply().integer(reversed ? set.count() - 1 - rank : rank);
    if (scored) {
      call.reply().real(score);
    }
  }

  /** Takes members out of a set that has some. */
  public static List<Scored> pop(StoredSortedSet set, long max, boolean min) {
    List<Scored> taken = set.ranked(0, Math.min(max, set.count()) - 1, !min);
    set.removeAll(taken);
    return taken;
  }

  public static void pop(Call call, boolean min) {
    if (call.size() > 3) {
      throw ReplyException.syntax();
    }
    boolean several = call.size() == 3;
    long max = several ? Numbers.positive(call.arg(2)) : 1;
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    List<Scored> taken = set == null || max == 0 ? List.of() : pop(set, max, min);
    if (several || taken.isEmpty()) {
      Scored.pairs(call.reply(), taken, false);
    } else {
      call.reply().array(2);
      call.reply().bulk(taken.getFirst().member());
      call.reply().real(taken.getFirst().score());
    }
  }

  public static void zmpop(Call call) {
    ManyPop pop = ManyPop.of(call, 1, "min", "max");
    byte @Nullable [] key = pop.firstOf(call, Kind.ZSET);
    if (key == null) {
      call.reply().nilArray();
    } else {
      pop(call, key, pop);
    }
  }

  /** Answers with a key and what was taken from the set that it holds. */
  public static void pop(Call call, byte[] key, ManyPop pop) {
    call.reply().array(2);
    call.reply().bulk(key);
    StoredSortedSet set = StoredSortedSet.findOrMake(call.keys(), key);
    Scored.pairs(call.reply(), pop(set, pop.max(), pop.low()), true);
  }

  public static void zrandmember(Call call) {
    boolean scored = call.size() == 4 && call.lowerCase(3).equals("withscores");
    if (call.size() > 3 && !scored) {
      throw ReplyException.syntax();
    }
    boolean several = call.size() > 2;
    long wanted = several ? call.integer(2) : 1;
    if (Math.abs(wanted) > Integer.MAX_VALUE / 2 || wanted == Long.MIN_VALUE) {
      throw ReplyException.error("value is out of range");
    }
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    if (set == null && !several) {
      call.reply().nil();
      return;
    }
    List<Scored> chosen = set == null || wanted == 0 ? List.of() : random(set, (int) wanted);
    if (!several) {
      call.reply().bulk(chosen.getFirst().member());
    } else if (scored) {
      Scored.pairs(call.reply(), chosen, false);
    } else {
      Scored.members(call.reply(), chosen);
    }
  }

  /** Members at random: different ones, or, if {@code wanted} is negative, any. */
  private static List<Scored> random(StoredSortedSet set, int wanted) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (wanted == 1) {
      long rank = random.nextLong(set.count());
      return set.ranked(rank, rank, false);
    }
    List<Scored> all = set.all();
    if (wanted >= all.size()) {
      return all;
    }
    List<Scored> chosen = new ArrayList<>();
    if (wanted < 0) {
      for (int i = 0; i < Math.min(-wanted, MAX_RANDOM); i++) {
        chosen.add(all.get(random.nextInt(all.size())));
      }
      return chosen;
    }
    TreeSet<Integer> places = new TreeSet<>(); // Floyd's algorithm: all subsets are equally likely
    for (int i = all.size() - wanted; i < all.size(); i++) {
      int place = random.nextInt(i + 1);
      places.add(places.contains(place) ? i : place);
    }
    places.forEach(place -> chosen.add(all.get(place)));
    Collections.shuffle(chosen, random);
    return chosen;
  }

  public static void zscan(Call call) {
    Cursors.check(call.arg(2));
    StoredSortedSet set = StoredSortedSet.find(call.keys(), call.arg(1));
    if (set == null) {
      call.reply().array(2);
      call.reply().bulk("0");
      call.reply().array(0);
      return;
    }
    ScanOptions options = ScanOptions.of(call, 3, false);
    byte[] after = call.server().databases().cursors().position(call.arg(2));
    List<Scored> visited = set.after(after, options.count());
    List<Scored> found =
        visited.stream().filter(entry -> options.pattern().matches(entry.member())).toList();
    call.reply().array(2);
    call.reply()
        .bulk(
            visited.size() == options.count()
                ? call.server().databases().cursors().at(visited.getLast().member())
                : "0");
    call.reply().array(2 * found.size());
    for (Scored entry : found) {
      call.reply().bulk(entry.member());
      call.reply().bulk(Numbers.text(entry.score()));
    }
  }
}

package io.kvstadium.server.database;

import io.kvstadium.server.database.Databases.View;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.figures.Statistics;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the databases below a size, by the removal of keys or by refusing what adds to them. The
 * size is that of the stored entries: keys, values, elements and the order of expiry, with the few
 * bytes that {@code docs/internals/server-format.md} adds to each.
 *
 * <p>Belongs to the thread that has the turn to write, except for the settings.
 */
public final class Eviction {
  /** Redis' words for what gives way. */
  public enum Policy {
    NOEVICTION,
    VOLATILE_TTL,
    ALLKEYS_LRU,
    VOLATILE_LRU,
    ALLKEYS_LFU,
    VOLATILE_LFU,
    ALLKEYS_RANDOM,
    VOLATILE_RANDOM;

    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether only keys that expire give way. */
    boolean isVolatile() {
      return name().startsWith("VOLATILE");
    }

    /** Whether it must be known how often keys are used. */
    public boolean counts() {
      return name().endsWith("LFU");
    }

    /** Whether the uses of keys must be known. */
    public boolean learns() {
      return counts() || name().endsWith("LRU");
    }

    public static Policy of(String word) {
      for (Policy each : values()) {
        if (each.word().equals(word)) {
          return each;
        }
      }
      throw new BadArgumentException(
          "eviction '"
              + word
              + "': give one of "
              + Stream.of(values()).map(Policy::word).collect(Collectors.joining(", ")));
    }
  }

  public static final String REFUSAL = "OOM command not allowed when used memory > 'maxmemory'.";

  /** The time that one request gives to others' removal, as in Redis. */
  private static final long PORTION = 500_000;

  /** What is due or garbage is looked for at most so often. */
  private static final long SWEEP = TimeUnit.MILLISECONDS.toNanos(5);

  /** The share of all keys that is old enough to go. */
  private static final double OLD = 0.1;

  /** The keys that are looked at together. */
  private static final int TOGETHER = 256;

  /** After so many without an old one, the oldest of them goes. */
  private static final int MAX_SEEN = 4_096;

  /** The part of the heap that {@link Recency} may take. */
  private static final int RECENT = 64;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Victim(int place, byte[] key, long last) {}

  private final Databases databases;
  private final long limit;
  private final Policy policy;

  /** What is known of keys, or {@code null} if the policy needs none. */
  private final @Nullable Recency recency;

  private final Statistics statistics;
  private final Deque<Victim> old = new ArrayDeque<>();

  /** Where the search for old keys continues: the database, and the last entry that was seen. */
  private int place;

  private byte @Nullable [] last;
  private long swept = System.nanoTime() - SWEEP - 1;

  /** Elements of a key that was removed are still there. */
  private boolean garbage;

  public Eviction(Databases databases, long limit, Policy policy, Statistics statistics) {
    this.statistics = statistics;
    this.databases = databases;
    this.limit = limit;
    this.policy = policy;
    this.recency =
        policy.learns()
            ? new Recency(policy.counts(), limit, Runtime.getRuntime().maxMemory() / RECENT)
            : null;
  }

  /** What is known of the uses of keys, or {@code null}. */
  public @Nullable Recency recency() {
    return recency;
  }

  /** Whether that is how often they are used. */
  public boolean counts() {
    return policy.counts();
  }

  /** Whether something must go before this many bytes can be added. */
  public boolean isOver(View view, long bytes) {
    return view.bytes() + bytes > limit;
  }

  /**
   * Removes what is too much: at least something, and no more once the time is over.
   *
   * @param bytes roughly what will be added
   * @return false if there is nothing left to remove
   */
  public boolean shrink(View view, long bytes) {
    long until = System.nanoTime() + PORTION;
    boolean fits = bytes <= limit; // else nothing goes in vain
    while (fits && isOver(view, bytes)) {
      if (!sweep(view, until) && isOver(view, bytes)) {
        Victim victim = victim(view);
        if (victim == null) {
          return false;
        }
        Keyspace keys = view.stored(victim.place());
        garbage |= keys.hasElements(victim.key());
        keys.remove(victim.key());
        statistics.evicted();
      }
      if (System.nanoTime() - until > 0) { // goes on with the next request, or the next sweep
        break;
      }
    }
    return fits;
  }

  /** Removes what is of no use to anybody; returns whether there is more of it. */
  private boolean sweep(View view, long until) {
    long now = System.nanoTime();
    if (!garbage && now - swept < SWEEP) {
      return false;
    }
    swept = now;
    garbage = false;
    for (int i = 0; i < Databases.COUNT; i++) {
      if (databases.present(i) != null) {
        Keyspace keys = view.stored(i);
        long before = keys.swept();
        garbage |= keys.sweep(until);
        statistics.expired(keys.swept() - before);
      }
    }
    return garbage;
  }

  private @Nullable Victim victim(View view) {
    return switch (policy) {
      case NOEVICTION -> null;
      case VOLATILE_TTL -> nextDue(view);
      case ALLKEYS_RANDOM, VOLATILE_RANDOM -> random(view);
      default -> recency == null ? null : leastUsed(view, recency);
    };
  }

  /** Any key, each about as likely as the others. */
  private @Nullable Victim random(View view) {
    int first = 0;
    long left = ThreadLocalRandom.current().nextLong(1 + databases.keys());
    while (first < Databases.COUNT - 1 && left >= count(first)) {
      left -= count(first++);
    }
    for (int i = 0; i < Databases.COUNT; i++) {
      int at = (first + i) % Databases.COUNT;
      if (databases.present(at) != null) {
        Keyspace keys = view.stored(at);
        byte[] found = RandomEntry.of(candidates(keys), count(at), range -> first(keys, range));
        if (found != null) {
          return new Victim(at, name(keys, found), 0);
        }
      }
    }
    return null;
  }

  private long count(int database) {
    Database present = databases.present(database);
    return present == null ? 0 : present.count();
  }

  private static byte @Nullable [] first(Keyspace keys, Range<byte[]> range) {
    try (Walk walk = keys.scan(range.keysOnly().limit(1))) {
      return walk.next() ? walk.key() : null;
    }
  }

  /** The entries of the keys that may give way. */
  private Range<byte[]> candidates(Keyspace keys) {
    return policy.isVolatile() ? Keys.expiries() : keys.names(new byte[0]);
  }

  /** The key of one of {@link #candidates}. */
  private byte[] name(Keyspace keys, byte[] entry) {
    return policy.isVolatile() ? Keys.rest(entry) : keys.name(entry);
  }

  /** The key that expires next. */
  private @Nullable Victim nextDue(View view) {
    Victim first = null;
    for (int i = 0; i < Databases.COUNT; i++) {
      if (databases.present(i) != null) {
        try (Walk order = view.stored(i).scan(Keys.expiries().keysOnly().limit(1))) {
          if (order.next() && (first == null || Keys.number(order.key()) < first.last())) {
            first = new Victim(i, Keys.rest(order.key()), Keys.number(order.key()));
          }
        }
      }
    }
    return first;
  }

  /** A key that is used little. It is found with others, which go before more is read. */
  private @Nullable Victim leastUsed(View view, Recency uses) {
    while (!old.isEmpty()) {
      Victim next = old.poll();
      boolean unused = uses.score(next.place(), next.key()) <= next.last();
      if (unused && view.stored(next.place()).head(next.key()) != null) {
        return next;
      }
    }
    long before = uses.before(OLD, databases.keys());
    Victim oldest = null;
    int turns = 0;
    int max = policy.isVolatile() ? TOGETHER : MAX_SEEN; // all of them may be used much
    for (int seen = 0; seen < max && turns <= Databases.COUNT; ) {
      List<Victim> some = some(view, uses);
      seen += some.size();
      turns = some.isEmpty() ? turns + 1 : 0;
      for (Victim each : some) {
        if (oldest == null || each.last() < oldest.last()) {
          oldest = each;
        }
        if (each.last() < before) {
          old.add(each);
        }
      }
      if (!old.isEmpty()) {
        return old.poll();
      }
    }
    return oldest;
  }

  /** The next keys; none at the end of a database, before the next one. */
  private List<Victim> some(View view, Recency uses) {
    List<Victim> found = new ArrayList<>();
    if (databases.present(place) != null) {
      Keyspace keys = view.stored(place);
      Range<byte[]> all = candidates(keys);
      Range<byte[]> rest = last == null ? all : all.from(last, false);
      try (Walk walk = keys.scan(rest.keysOnly().limit(TOGETHER))) {
        while (walk.next()) {
          last = walk.key();
          byte[] key = name(keys, last);
          found.add(new Victim(place, key, uses.score(place, key)));
        }
      }
    }
    if (found.isEmpty()) {
      place = (place + 1) % Databases.COUNT;
      last = null;
    }
    return found;
  }
}

package io.kvstadium.server.value;

import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set as one request works on it; changes take effect once they are {@link #save saved}.
 * Each member is stored twice: {@code m member} holds its score, {@code s score member} nothing.
 */
public final class StoredSortedSet {
  private static final byte[] BY_NAME = {'m'};
  private static final byte[] BY_SCORE = {'s'};
  private static final byte[] NOTHING = {};
  private static final int SCORE = 8;

  private final Keyspace keys;
  private final byte[] key;
  private final @Nullable StoredValue before;
  private final Elements elements;
  private long count;

  private StoredSortedSet(
      Keyspace keys, byte[] key, @Nullable StoredValue before, Elements elements) {
    this.keys = keys;
    this.key = key;
    this.before = before;
    this.elements = elements;
    this.count = elements.count();
  }

  /** The sorted set that a key holds, or {@code null}. */
  public static @Nullable StoredSortedSet find(Keyspace keys, byte[] key) {
    StoredValue storedValue = keys.find(key, Kind.ZSET);
    return storedValue == null
        ? null
        : new StoredSortedSet(keys, key, storedValue, storedValue.elements());
  }

  /** The sorted set that a key holds, or a new one. */
  public static StoredSortedSet findOrMake(Keyspace keys, byte[] key) {
    StoredSortedSet found = find(keys, key);
    return found != null ? found : new StoredSortedSet(keys, key, null, keys.elements().fresh());
  }

  /** Makes a key hold these entries and nothing else; without entries the key is gone. */
  public static void replace(Keyspace keys, byte[] key, List<Scored> entries) {
    keys.remove(key);
    if (!entries.isEmpty()) {
      StoredSortedSet set = new StoredSortedSet(keys, key, null, keys.elements().fresh());
      entries.forEach(entry -> set.put(entry.member(), entry.score()));
      set.save();
    }
  }

  public long count() {
    return count;
  }

  private static byte[] named(byte[] member) {
    byte[] rest = new byte[1 + member.length];
    rest[0] = BY_NAME[0];
    System.arraycopy(member, 0, rest, 1, member.length);
    return rest;
  }

  private static byte[] scored(byte[] member, double score) {
    byte[] rest = new byte[1 + SCORE + member.length];
    rest[0] = BY_SCORE[0];
    System.arraycopy(Scored.bytes(score), 0, rest, 1, SCORE);
    System.arraycopy(member, 0, rest, 1 + SCORE, member.length);
    return rest;
  }

  /** A member's score, or {@code null}. */
  public @Nullable Double score(byte[] member) {
    byte[] score = keys.elements().get(elements, named(member));
    return score == null ? null : Scored.score(score, 0);
  }

  /** Gives a member a score. */
  public void put(byte[] member, double score) {
    Double old = score(member);
    if (old == null) {
      count++;
    } else {
      keys.elements().remove(elements, scored(member, old));
    }
    // the longer key first: an engine that cannot hold it refuses both
    keys.elements().append(elements, scored(member, score), NOTHING);
    keys.elements().put(elements, named(member), Scored.bytes(score));
  }

  /** Removes an existing member. */
  public void remove(Scored entry) {
    keys.elements().remove(elements, scored(entry.member(), entry.score()));
    keys.elements().remove(elements, named(entry.member()));
    count--;
  }

  /** Removes existing members. If none are left the key goes, and the sweep does the rest. */
  public void removeAll(List<Scored> entries) {
    if (entries.size() == count) {
      count = 0;
    } else {
      entries.forEach(this::remove);
    }
    save();
  }

  private Range<byte[]> index(boolean byScore) {
    return Keys.elements(elements.generation(), byScore ? BY_SCORE : BY_NAME);
  }

  private static Scored entry(byte[] key, byte[] value, boolean byScore) {
    byte[] rest = Keys.rest(key);
    return byScore
        ? new Scored(Arrays.copyOfRange(rest, 1 + SCORE, rest.length), Scored.score(rest, 1))
        : new Scored(Arrays.copyOfRange(rest, 1, rest.length), Scored.score(value, 0));
  }

  /** A part of an index: at most {@code most} entries, after the first {@code skipped}. */
  private List<Scored> entries(Range<byte[]> range, boolean byScore, long skipped, long max) {
    List<Scored> found = new ArrayList<>();
    long left = skipped;
    try (Walk walk = keys.elements().walk(byScore ? range.keysOnly() : range)) {
      while (found.size() < max && walk.next()) {
        if (--left < 0) {
          found.add(entry(walk.key(), byScore ? NOTHING : walk.value(), byScore));
        }
      }
    }
    return found;
  }

  /**
   * The members within bounds.
   *
   * @param max at most this many; negative for all
   */
  public List<Scored> within(Bounds bounds, boolean reversed, long skipped, long max) {
    Range<byte[]> range = bounds.of(index(bounds.byScore()));
    return range == null || skipped < 0
        ? List.of()
        : entries(
            reversed ? range.reverse() : range,
            bounds.byScore(),
            skipped,
            max < 0 ? Long.MAX_VALUE : max);
  }

  /** How many members are within bounds. */
  public long count(Bounds bounds) {
    Range<byte[]> range = bounds.of(index(bounds.byScore()));
    long found = 0;
    if (range != null) {
      try (Walk walk = keys.elements().walk(range.keysOnly())) {
        while (walk.next()) {
          found++;
        }
      }
    }
    return found;
  }

  /** The members between two ranks, both included; found from the nearer end. */
  public List<Scored> ranked(long from, long to, boolean reversed) {
    long many = to - from + 1;
    boolean otherEnd = count - 1 - to < from;
    Range<byte[]> all = index(true);
    List<Scored> found =
        entries(
            otherEnd != reversed ? all.reverse() : all,
            true,
            otherEnd ? count - 1 - to : from,
            many);
    return otherEnd ? found.reversed() : found;
  }

  /** All members, in score order. */
  public List<Scored> all() {
    return entries(index(true), true, 0, Long.MAX_VALUE);
  }

  /** Some members in name order, after a given one unless that is {@code null}. */
  public List<Scored> after(byte @Nullable [] member, int max) {
    Range<byte[]> all = index(false);
    return entries(
        member == null ? all : all.from(Keys.element(elements.generation(), named(member)), false),
        false,
        0,
        max);
  }

  /** How many members come before an existing one; counted from both ends at once. */
  public long rank(Scored entry) {
    Range<byte[]> all = index(true).keysOnly();
    byte[] own = Keys.element(elements.generation(), scored(entry.member(), entry.score()));
    try (Walk below = keys.elements().walk(all.to(own, false).reverse());
        Walk above = keys.elements().walk(all.from(own, false))) {
      for (long counted = 0; ; counted++) {
        if (!below.next()) {
          return counted;
        }
        if (!above.next()) {
          return count - 1 - counted;
        }
      }
    }
  }

  /** Writes the number of members; without any the key is gone. */
  public void save() {
    keys.set(key, Kind.ZSET, elements.counting(count), before);
  }
}

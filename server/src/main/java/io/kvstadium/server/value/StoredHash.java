package io.kvstadium.server.value;

import io.kvstadium.server.database.FieldExpiries;
import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.RandomEntry;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiPredicate;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a hash with their values, or the members of a set: elements in name order. Changes
 * must be {@linkplain #save saved}.
 */
public final class StoredHash {
  private static final byte[] FROM_THE_BEGINNING = {};

  private final Keyspace keys;
  private final byte[] key;
  private final Kind kind;
  private final @Nullable StoredValue storedValue;
  private @Nullable Elements elements;

  /** When fields expire, or {@code null} if none does. */
  private @Nullable FieldExpiries expiries;

  /** Whether there are fields that are due but not removed yet: nobody sees them any more. */
  private final boolean anyDue;

  private @Nullable Set<Bytes> due;

  /** How many are stored. */
  private long count;

  private boolean changed;

  /** A field or member. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Member(byte[] name, byte[] value) {}

  private StoredHash(Keyspace keys, byte[] key, Kind kind, @Nullable StoredValue storedValue) {
    this.keys = keys;
    this.key = key;
    this.kind = kind;
    this.storedValue = storedValue;
    this.elements = storedValue == null ? null : storedValue.elements();
    this.count = elements == null ? 0 : elements.count();
    boolean expires = storedValue != null && storedValue.hasFieldExpiries();
    this.expiries =
        elements != null && expires ? new FieldExpiries(keys.elements(), elements.first()) : null;
    this.anyDue = elements != null && elements.nextExpiry() <= keys.now();
  }

  public static StoredHash of(Keyspace keys, byte[] key, Kind kind) {
    return new StoredHash(keys, key, kind, keys.find(key, kind));
  }

  /** Empty members, which replace what a key holds if anything is put. */
  public static StoredHash replacing(Keyspace keys, byte[] key, Kind kind) {
    keys.remove(key);
    return new StoredHash(keys, key, kind, null);
  }

  public long count() {
    return count - due().size();
  }

  /** The fields that are due; the first time they are read. */
  private Set<Bytes> due() {
    if (!anyDue || expiries == null) {
      return Set.of();
    }
    Set<Bytes> found = due;
    if (found == null) {
      found = new HashSet<>();
      for (byte[] each : expiries.due(keys.now(), Long.MAX_VALUE)) {
        found.add(new Bytes(each));
      }
      due = found;
    }
    return found;
  }

  public byte @Nullable [] get(byte[] name) {
    return elements == null || isDue(name) ? null : keys.elements().get(elements, name);
  }

  private boolean isDue(byte[] name) {
    return anyDue && expiry(name) <= keys.now();
  }

  /** When a field expires, in Unix milliseconds, or {@link StoredValue#FOREVER}. */
  public long expiry(byte[] name) {
    return expiries == null ? StoredValue.FOREVER : expiries.get(name);
  }

  /** Sets when a field that is there expires, which may be over already: then it is removed. */
  public void expire(byte[] name, long when) {
    if (when <= keys.now()) {
      remove(name);
      return;
    }
    if (expiries == null && when != StoredValue.FOREVER) {
      expiries = new FieldExpiries(keys.elements(), keys.elements().fresh().generation());
    }
    if (expiries != null) {
      expiries.set(name, when);
      due = null;
      changed = true;
    }
  }

  public boolean has(byte[] name) {
    return get(name) != null;
  }

  /** Adds a field or replaces its value, and lets it expire no more; returns whether it is new. */
  public boolean put(byte[] name, byte[] value) {
    boolean fresh = replace(name, value);
    if (!fresh) {
      expire(name, StoredValue.FOREVER);
    }
    return fresh;
  }

  /** Adds a field, or replaces its value and nothing else; returns whether it is new. */
  public boolean replace(byte[] name, byte[] value) {
    boolean wasDue = isDue(name);
    if (wasDue) {
      expire(name, StoredValue.FOREVER);
    }
    boolean stored = has(name);
    count += stored ? 0 : 1;
    keys.elements().put(own(), name, value);
    changed = true;
    return wasDue || !stored;
  }

  /** Adds a member; returns whether it is new. */
  public boolean add(byte[] name) {
    if (has(name)) {
      return false;
    }
    keys.elements().putName(own(), name);
    count++;
    changed = true;
    return true;
  }

  private Elements own() {
    Elements own = elements;
    if (own == null) {
      own = keys.elements().fresh();
      elements = own;
    }
    return own;
  }

  /** Removes a field or member; returns whether it existed. */
  public boolean remove(byte[] name) {
    if (elements == null || !has(name)) {
      return false;
    }
    keys.elements().remove(elements, name);
    expire(name, StoredValue.FOREVER);
    count--;
    changed = true;
    return true;
  }

  /** Stores the number of members and that something changed. Without members the key is gone. */
  public void save() {
    if (!changed || elements == null) {
      return;
    }
    long next = expiries == null ? StoredValue.FOREVER : expiries.first();
    long generation = expiries == null || next == StoredValue.FOREVER ? 0 : expiries.generation();
    Elements now = elements.counting(count).expiring(generation, next);
    if (now.equals(elements)) {
      keys.touch(key);
    } else {
      keys.set(key, kind, now, storedValue);
    }
  }

  /** All members. */
  public List<Member> all() {
    List<Member> all = new ArrayList<>();
    scan(
        FROM_THE_BEGINNING,
        null,
        (name, value) -> {
          all.add(new Member(name, value));
          return true;
        });
    return all;
  }

  /** Visits all fields, also those that are due, with their expiry. */
  void each(ObjLongConsumer<Member> visitor) {
    if (elements != null) {
      try (Walk walk = keys.elements().walk(Keys.elements(elements.generation()))) {
        while (walk.next()) {
          byte[] name = Keys.rest(walk.key());
          visitor.accept(new Member(name, walk.value()), expiry(name));
        }
      }
    }
  }

  /**
   * Visits names in order, with their values.
   *
   * @param prefix of the names
   * @param after a name after which to begin, which need not exist; {@code null} for the first
   * @param visitor returns whether to continue
   */
  public void scan(byte[] prefix, byte @Nullable [] after, BiPredicate<byte[], byte[]> visitor) {
    if (elements == null) {
      return;
    }
    long generation = elements.generation();
    Range<byte[]> range = Keys.elements(generation, prefix);
    if (after != null && Arrays.compareUnsigned(after, prefix) > 0) {
      range = range.from(Keys.element(generation, after), false);
    }
    try (Walk walk = keys.elements().walk(range)) {
      boolean more = true;
      while (more && walk.next()) {
        byte[] name = Keys.rest(walk.key());
        more = (anyDue && due().contains(new Bytes(name))) || visitor.test(name, walk.value());
      }
    }
  }

  /**
   * A random name; among many, found without reading the others. {@code null} if there are none.
   */
  public byte @Nullable [] random() {
    if (elements == null || count == 0) {
      return null;
    }
    if (anyDue) {
      List<Member> one = random(1);
      return one.isEmpty() ? null : one.getFirst().name();
    }
    Range<byte[]> all = Keys.elements(elements.generation());
    byte[] found = count <= RandomEntry.FEW ? at(all) : RandomEntry.of(all, count, this::first);
    return found == null ? null : Keys.rest(found);
  }

  /** One of them, each as likely as the others. */
  private byte @Nullable [] at(Range<byte[]> all) {
    long left = ThreadLocalRandom.current().nextLong(count);
    try (Walk walk = keys.elements().walk(all.limit(left + 1).keysOnly())) {
      byte[] found = null;
      while (walk.next()) {
        found = walk.key();
      }
      return found;
    }
  }

  private byte @Nullable [] first(Range<byte[]> range) {
    try (Walk walk = keys.elements().walk(range.limit(1).keysOnly())) {
      return walk.next() ? walk.key() : null;
    }
  }

  /**
   * Several random members, in one pass over all.
   *
   * @param wanted how many different ones at most; if negative, how many with repetition
   */
  public List<Member> random(long wanted) {
    List<Member> found = new ArrayList<>();
    long visible = count();
    if (visible == 0 || wanted == 0) {
      return found;
    }
    if (wanted > 0) {
      long[] left = {visible, Math.min(wanted, visible)}; // to be visited, to be taken
      scan(
          FROM_THE_BEGINNING,
          null,
          (name, value) -> {
            if (ThreadLocalRandom.current().nextLong(left[0]--) < left[1]) {
              found.add(new Member(name, value));
              left[1]--;
            }
            return left[1] > 0;
          });
      return found;
    }
    long[] positions = ThreadLocalRandom.current().longs(-wanted, 0, visible).sorted().toArray();
    long[] at = {0};
    int[] next = {0};
    scan(
        FROM_THE_BEGINNING,
        null,
        (name, value) -> {
          for (; next[0] < positions.length && positions[next[0]] == at[0]; next[0]++) {
            found.add(new Member(name, value));
          }
          at[0]++;
          return next[0] < positions.length;
        });
    Collections.shuffle(found, ThreadLocalRandom.current());
    return found;
  }
}

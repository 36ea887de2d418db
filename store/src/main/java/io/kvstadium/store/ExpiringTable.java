package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.ExpiringCodec;
import io.kvstadium.store.codec.ExpiringCodec.Expiring;
import io.kvstadium.store.internal.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose entries expire: sessions, caches, locks. An entry that is due is gone for every
 * method here from that moment on. Its space is reclaimed by {@link #sweep}, which the application
 * calls now and then.
 *
 * <p>A layer over a table of any engine that can write and scan, on top of the public API. Each
 * value has 8 extra bytes, which say when it expires; what was put without them is a {@link
 * CorruptException} here, and is never swept. So the table belongs to this layer: the underlying
 * table still shows what is due, with those 8 bytes.
 *
 * <p>Time is the system clock. If it is set back, entries live that much longer. Thread-safe; need
 * not be closed.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public final class ExpiringTable<K, V> {
  /** Entries of one step of a sweep: few enough that what it removes fits into one transaction. */
  private static final int STEP = 256;

  private final Store store;
  private final Table<K, Expiring<V>> table;
  private final Table<byte[], byte[]> bytes; // the store's own
  private final Duration timeToLive;
  private final InstantSource clock;

  private ExpiringTable(
      Store store,
      Table<K, Expiring<V>> table,
      Table<byte[], byte[]> bytes,
      Duration timeToLive,
      InstantSource clock) {
    this.store = store;
    this.table = table;
    this.bytes = bytes;
    this.timeToLive = timeToLive;
    this.clock = clock;
  }

  /**
   * Returns a table of a store, made if there is none, whose entries expire after {@code
   * timeToLive} unless they are put with another time.
   *
   * @throws BadArgumentException if the time is not positive
   * @throws UnsupportedException if the store cannot write or scan
   */
  public static <K, V> ExpiringTable<K, V> of(
      Store store, String name, Codec<K> keys, Codec<V> values, Duration timeToLive) {
    return of(store, name, keys, values, timeToLive, InstantSource.system());
  }

  /** The same with another clock, for tests. */
  public static <K, V> ExpiringTable<K, V> of(
      Store store,
      String name,
      Codec<K> keys,
      Codec<V> values,
      Duration timeToLive,
      InstantSource clock) {
    Arguments.given("ExpiringTable.of", "store", store);
    Arguments.given("ExpiringTable.of", "clock", clock);
    Arguments.given("ExpiringTable.of", "codec of the values", values);
    checked(timeToLive);
    if (!store.capabilities().containsAll(Set.of(Capability.WRITE, Capability.SCAN))) {
      throw new UnsupportedException(
          store.url() + ": entries that expire need a store that can be written and scanned");
    }
    Table<K, Expiring<V>> table = store.table(name, keys, new ExpiringCodec<>(values));
    return new ExpiringTable<>(store, table, store.table(name), timeToLive, clock);
  }

  /** This table as seen from inside a transaction. */
  public ExpiringTable<K, V> on(Transaction transaction) {
    return new ExpiringTable<>(
        store,
        Arguments.given(table, "transaction", transaction).on(table),
        bytes,
        timeToLive,
        clock);
  }

  /** {@link #put(Object, Object)} in a batch. */
  public void put(Batch batch, K key, V value) {
    Arguments.given(table, "key", key);
    Arguments.given(table, "batch", batch).put(table, key, expiring(value, timeToLive));
  }

  /** {@link #delete(Object)} in a batch. */
  public void delete(Batch batch, K key) {
    Arguments.given(table, "batch", batch).delete(table, Arguments.given(table, "key", key));
  }

  /** The value, or {@code null} if there is no such entry. */
  public @Nullable V get(K key) {
    Expiring<V> found = alive(table.get(key));
    return found == null ? null : found.value();
  }

  /** When the entry expires, or {@code null} if there is no such entry. */
  public @Nullable Instant expiry(K key) {
    Expiring<V> found = alive(table.get(key));
    return found == null ? null : Instant.ofEpochMilli(found.due());
  }

  /** Sets the value of a key, to expire after the table's own time to live. */
  public void put(K key, V value) {
    put(key, value, timeToLive);
  }

  /** Sets the value of a key, to expire after this time. */
  public void put(K key, V value, Duration time) {
    table.put(key, expiring(value, time));
  }

  /**
   * Puts an entry if there is none with this key, atomically.
   *
   * @return whether it was put
   */
  public boolean putIfAbsent(K key, V value) {
    boolean[] put = new boolean[1];
    table.compute(
        key,
        now -> {
          put[0] = alive(now) == null;
          return put[0] ? expiring(value, timeToLive) : now;
        });
    return put[0];
  }

  /**
   * Changes an entry by a function, atomically; see {@link Table#compute}. An existing entry keeps
   * its expiry; a new one gets the table's own time to live.
   *
   * @return what the function returned
   */
  public @Nullable V compute(K key, Function<@Nullable V, @Nullable V> function) {
    Arguments.given(table, "function of compute", function);
    Expiring<V> after =
        table.compute(
            key,
            now -> {
              Expiring<V> present = alive(now);
              V value = function.apply(present == null ? null : present.value());
              if (value == null) {
                return null;
              }
              return present == null
                  ? expiring(value, timeToLive)
                  : new Expiring<>(present.due(), value);
            });
    return after == null ? null : after.value();
  }

  /**
   * Makes an entry expire after the table's own time to live, counted from now; see {@link
   * #touch(Object, Duration)}.
   */
  public boolean touch(K key) {
    return touch(key, timeToLive);
  }

  /**
   * Makes an entry expire after this time, counted from now, atomically.
   *
   * @return false if there is no such entry
   */
  public boolean touch(K key, Duration time) {
    checked(time);
    return table.compute(
            key,
            now -> {
              Expiring<V> present = alive(now);
              return present == null ? null : expiring(present.value(), time);
            })
        != null;
  }

  /** Removes an entry; does nothing if there is none. */
  public void delete(K key) {
    table.delete(key);
  }

  /**
   * The entries of a range, lazily; the stream must be closed. The range's limit counts only the
   * entries that are shown.
   *
   * @throws BadArgumentException if the range asks for keys only: values say what is due
   */
  public Stream<Entry<K, V>> stream(Range<K> range) {
    Arguments.given(table, "range", range);
    return table.scan(range.limit(Long.MAX_VALUE)).stream()
        .filter(entry -> alive(entry.value()) != null)
        .map(entry -> new Entry<>(entry.key(), entry.value().value()))
        .limit(range.limit());
  }

  /**
   * Removes all entries that are due now. Visits every entry, in steps of {@value #STEP}; a step's
   * removals are one transaction, if the store has transactions. To be called now and then, by a
   * scheduler for example; not inside a transaction.
   *
   * @return how many entries were removed
   * @throws ConflictException if a step kept losing to others; what is left is due the next time
   */
  public long sweep() {
    boolean ordered = store.capabilities().contains(Capability.ORDERED_SCAN);
    long now = clock.millis();
    long removed = 0;
    Range<byte[]> rest = Range.all();
    while (rest != null) {
      List<byte[]> due = new ArrayList<>();
      rest = visit(rest, ordered, now, due);
      removed += due.isEmpty() ? 0 : remove(due, now);
    }
    return removed;
  }

  /** Visits the next entries; returns the range of those after them, or {@code null} at the end. */
  private @Nullable Range<byte[]> visit(
      Range<byte[]> range, boolean ordered, long now, List<byte[]> due) {
    try (Cursor<byte[], byte[]> cursor = bytes.scan(range)) {
      for (int visited = 1; cursor.next(); visited++) {
        byte[] key = cursor.key();
        if (isDue(cursor.value(), now)) {
          due.add(key);
        }
        if (visited == STEP && ordered) {
          return Range.greaterThan(key);
        }
      }
    }
    return null;
  }

  /** What is no longer due when it gets there stays. */
  private int remove(List<byte[]> keys, long now) {
    if (store.capabilities().contains(Capability.TRANSACTION)) {
      return store.transact(tx -> {
        Table<byte[], byte[]> inside = tx.on(bytes);
        int removed = 0;
        for (byte[] key : keys) {
          byte[] value = inside.get(key);
          if (value != null && isDue(value, now)) {
            inside.delete(key);
            removed++;
          }
        }
        return removed;
      });
    }
    int removed = 0;
    for (byte[] key : keys) {
      if (bytes.compute(key, value -> value == null || isDue(value, now) ? null : value) == null) {
        removed++;
      }
    }
    return removed;
  }

  /** Never, if it was not put by this layer; reading it there fails with this. */
  private static boolean isDue(byte[] value, long now) {
    try {
      return ExpiringCodec.due(value) <= now;
    } catch (CorruptException e) {
      return false;
    }
  }

  private @Nullable Expiring<V> alive(@Nullable Expiring<V> found) {
    return found == null || found.due() <= clock.millis() ? null : found;
  }

  private Expiring<V> expiring(V value, Duration time) {
    Arguments.given(table, "value", value);
    long now = clock.millis();
    // because toMillis() would overflow for a duration that means forever
    boolean forever = checked(time).toSeconds() >= (ExpiringCodec.LAST - now) / 1_000;
    return new Expiring<>(forever ? ExpiringCodec.LAST : now + time.toMillis(), value);
  }

  private static Duration checked(Duration time) {
    if (Arguments.given("an expiring entry", "time to live", time).compareTo(Duration.ofMillis(1))
        < 0) {
      throw new BadArgumentException(
          "a time to live of " + time + " is too short: use a millisecond or more");
    }
    return time;
  }

  @Override
  public String toString() {
    return table.toString();
  }
}

package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.ExpiringCodec;
import io.kvstadium.store.internal.ExpiringCodec.Expiring;
import io.kvstadium.store.internal.Sweeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose entries expire: sessions, caches, locks. An entry that is due is gone for every
 * method here from that moment on. Its space is reclaimed later by a thread of the store that
 * sweeps in small steps while the store is open.
 *
 * <p>A layer over a table of any engine that can write and scan. Each value has 8 extra bytes,
 * which say when it expires; what was put without them is a {@link CorruptException} here, and is
 * never swept. So the table belongs to this layer: the underlying table still shows what is due,
 * with those 8 bytes.
 *
 * <p>Time is the system clock. If it is set back, entries live that much longer. Thread-safe; need
 * not be closed.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public final class ExpiringTable<K, V> {
  private final TypedTable<K, Expiring<V>> table;
  private final Duration timeToLive;
  private final InstantSource clock;
  private final Sweeper sweeper;

  private ExpiringTable(
      TypedTable<K, Expiring<V>> table, Duration timeToLive, InstantSource clock, Sweeper sweeper) {
    this.table = table;
    this.timeToLive = timeToLive;
    this.clock = clock;
    this.sweeper = sweeper;
  }

  /**
   * Returns a view of this table whose entries expire after {@code timeToLive} unless they are put
   * with another time. The table is swept from now on until the store is closed.
   *
   * @throws BadArgumentException if the time is not positive, or the table is not the store's own
   * @throws UnsupportedException if the engine cannot write or scan
   */
  public static <K, V> ExpiringTable<K, V> of(TypedTable<K, V> table, Duration timeToLive) {
    return of(table, timeToLive, InstantSource.system());
  }

  /** The same for byte strings. */
  public static ExpiringTable<byte[], byte[]> of(Table table, Duration timeToLive) {
    return of(
        Arguments.given("ExpiringTable.of", "table", table).typed(Codec.BYTES, Codec.BYTES),
        timeToLive);
  }

  /** The same with another clock, for tests. */
  public static <K, V> ExpiringTable<K, V> of(
      TypedTable<K, V> table, Duration timeToLive, InstantSource clock) {
    Arguments.given("ExpiringTable.of", "table", table);
    Arguments.given("ExpiringTable.of", "clock", clock);
    Sweeper sweeper = Sweeper.of(table.raw(), clock);
    checked(timeToLive); // a call that is refused must not begin to sweep
    return new ExpiringTable<>(
        table.raw().typed(table.keyCodec(), new ExpiringCodec<>(table.valueCodec())),
        timeToLive,
        clock,
        sweeper.sweepInBackground());
  }

  /** This table as seen from inside a transaction. */
  public ExpiringTable<K, V> on(Transaction transaction) {
    return new ExpiringTable<>(
        Arguments.given(table.raw(), "transaction", transaction).on(table),
        timeToLive,
        clock,
        sweeper);
  }

  /** This table as a target of a batch. */
  public TypedWriter<K, V> on(Batch batch) {
    TypedWriter<K, Expiring<V>> writer = Arguments.given(table.raw(), "batch", batch).on(table);
    return new TypedWriter<>() {
      @Override
      public void put(K key, V value) {
        writer.put(key, expiring(value, timeToLive));
      }

      @Override
      public void delete(K key) {
        writer.delete(key);
      }
    };
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
    table.update(
        key,
        now -> {
          put[0] = alive(now) == null;
          return put[0] ? expiring(value, timeToLive) : now;
        });
    return put[0];
  }

  /**
   * Changes an entry by a function, atomically; see {@link TypedTable#update}. An existing entry
   * keeps its expiry; a new one gets the table's own time to live.
   *
   * @return what the function returned
   */
  public @Nullable V update(K key, Function<@Nullable V, @Nullable V> function) {
    Arguments.given(table.raw(), "function of update", function);
    Expiring<V> after =
        table.update(
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
    return table.update(
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
  public Stream<Map.Entry<K, V>> stream(TypedRange<K> range) {
    Arguments.given(table.raw(), "range", range);
    return table.scan(range.limit(Long.MAX_VALUE)).stream()
        .filter(entry -> alive(entry.getValue()) != null)
        .map(entry -> Map.entry(entry.getKey(), entry.getValue().value()))
        .limit(range.limit());
  }

  /**
   * Removes all entries that are due now, instead of waiting for the background sweep; visits every
   * entry.
   *
   * @return how many entries were removed
   */
  public long sweep() {
    return Sweeper.of(table.raw(), clock).sweepAll();
  }

  private @Nullable Expiring<V> alive(@Nullable Expiring<V> found) {
    return found == null || found.due() <= clock.millis() ? null : found;
  }

  private Expiring<V> expiring(V value, Duration time) {
    Arguments.given(table.raw(), "value", value);
    long now = clock.millis();
    // because toMillis() would overflow for a duration that means forever
    boolean forever = checked(time).toSeconds() >= (ExpiringCodec.LAST - now) / 1_000;
    long due = forever ? ExpiringCodec.LAST : now + time.toMillis();
    sweeper.note(due);
    return new Expiring<>(due, value);
  }

  private static Duration checked(Duration time) {
    if (Arguments.given("an expiring entry", "time to live", time).compareTo(Duration.ofMillis(1))
        < 0) {
      throw new BadArgumentException(
          "a time to live of " + time + " is too short: use a millisecond or more");
    }
    return time;
  }
}

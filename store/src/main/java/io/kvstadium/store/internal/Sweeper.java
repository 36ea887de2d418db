package io.kvstadium.store.internal;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes what is due from a table of an {@link ExpiringTable}. It walks over the table in laps of
 * steps, each from behind the last key of the one before, and rests between them; if a quarter of a
 * step was due it continues at once, so that a table does not grow faster than it is swept. (Redis'
 * active expiry has the same rule.)
 *
 * <p>No lap begins before something is due: to begin may be expensive, because an LSM tree steps
 * over all that was removed at the table's head and not yet compacted. For the same reason a step
 * that took long is followed by a longer rest.
 */
public final class Sweeper {
  /** Entries of one step: few enough that what it removes fits into one transaction. */
  private static final int STEP = 256;

  private static final long REST = Duration.ofMillis(100).toNanos();

  /** A rest is at least this many times as long as the step before it. */
  private static final int REST_TO_STEP = 20;

  /** The longest rest, and the longest time between two attempts that fail. */
  private static final long LONG_REST = Duration.ofMinutes(1).toNanos();

  private final Store store;
  private final Table<byte[], byte[]> table;
  private final InstantSource clock;
  private final LongSupplier nanoTime;

  /** The earliest expiry of an entry that was put or visited since the lap began. */
  private final AtomicLong soonest = new AtomicLong();

  private byte @Nullable [] last; // the last key that was visited; null to begin at the first
  private boolean begun;
  private long earliest; // of the next step, as a System.nanoTime
  private long latest;
  private long backOff;

  Sweeper(Store store, Table<byte[], byte[]> table, InstantSource clock, LongSupplier nanoTime) {
    this.store = store;
    this.table = table;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** What sweeps a table until the store is closed or the table is dropped. */
  public static Sweeper of(Store store, String table, InstantSource clock) {
    return OpenStore.of(store)
        .sweeps()
        .add(new Sweeper(store, store.table(table), clock, System::nanoTime));
  }

  /** One for the same table that sweeps only when it is called. */
  public Sweeper another() {
    return new Sweeper(store, table, clock, nanoTime);
  }

  /** The same for sweepers of the same table, until it is dropped. */
  Object key() {
    return ((CodecTable<?, ?>) table).view().handle();
  }

  /** Takes note of the expiry of an entry, in milliseconds since 1970. */
  public void note(long due) {
    if (due < soonest.getPlain()) {
      soonest.accumulateAndGet(due, Math::min);
    }
  }

  /** Whether to take the next step now. */
  boolean isTime() {
    long now = nanoTime.getAsLong();
    return !begun || now - latest >= 0 || (now - earliest >= 0 && soonest.get() <= clock.millis());
  }

  /**
   * Takes a step.
   *
   * @return whether the next one should follow at once
   */
  boolean stepInBackground() {
    byte[] before = last;
    long start = nanoTime.getAsLong();
    if (before == null) {
      soonest.set(Long.MAX_VALUE);
    }
    int removed = 0;
    try {
      removed = step();
    } catch (ConflictException e) {
      note(clock.millis()); // others write here: the next lap tries again
    } catch (RuntimeException | Error e) {
      last = before;
      backOff = Math.clamp(2 * backOff, REST, LONG_REST);
      rest(nanoTime.getAsLong(), backOff, backOff);
      throw e;
    }
    backOff = 0;
    if (last != null && removed >= STEP / 4) {
      rest(start, 0, 0);
      return true;
    }
    long now = nanoTime.getAsLong();
    long rest = isOrdered() ? Math.max(REST, REST_TO_STEP * (now - start)) : LONG_REST;
    rest(now, rest, last == null ? LONG_REST : rest);
    return false;
  }

  /** Rests for this time, and then until something is due, but no longer than {@code max}. */
  private void rest(long nanoTime, long min, long max) {
    begun = true;
    earliest = nanoTime + min;
    latest = nanoTime + Math.max(min, max);
  }

  /** Removes all that is due now; of {@link #another}. */
  public long sweepAll() {
    return Listening.quietly(() -> {
      long removed = 0;
      last = null;
      do {
        removed += step();
      } while (last != null);
      return removed;
    });
  }

  /** Visits the next entries and removes those that are due; returns how many those were. */
  private int step() {
    List<byte[]> due = new ArrayList<>();
    boolean ordered = isOrdered();
    Range<byte[]> range = last == null || !ordered ? Range.all() : Range.greaterThan(last);
    long now = clock.millis();
    int visited = 0;
    byte[] key = null;
    try (var cursor = table.scan(range)) {
      while (cursor.next()) {
        key = cursor.key();
        long expiry = due(cursor.value());
        if (expiry <= now) {
          due.add(key);
        } else {
          note(expiry);
        }
        if (++visited >= STEP && ordered) {
          break;
        }
      }
    }
    last = visited >= STEP && ordered ? key : null;
    return due.isEmpty() ? 0 : remove(due, now);
  }

  /** What is no longer due when it gets there stays. */
  private int remove(List<byte[]> keys, long now) {
    if (store.capabilities().contains(Capability.TRANSACTION)) {
      return store.transact(tx -> {
        Table<byte[], byte[]> inside = tx.on(table);
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
      if (table.compute(key, value -> value == null || isDue(value, now) ? null : value) == null) {
        removed++;
      }
    }
    return removed;
  }

  private boolean isOrdered() {
    return store.capabilities().contains(Capability.ORDERED_SCAN);
  }

  private static boolean isDue(byte[] value, long now) {
    return due(value) <= now;
  }

  /** When it expires: never, if it was not put by this layer; reading it there fails with this. */
  private static long due(byte[] value) {
    try {
      return ExpiringCodec.due(value);
    } catch (CorruptException e) {
      return Long.MAX_VALUE;
    }
  }

  @Override
  public String toString() {
    return table.toString();
  }
}

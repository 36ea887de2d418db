package io.kvstadium.store;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Removes what is due from a table of an {@link ExpiringTable}. It walks over the table in steps
 * and rests between them; if a quarter of a step was due it continues at once, so that a table does
 * not grow faster than it is swept. (Redis' active expiry has the same rule.)
 */
final class Sweeper {
  private static final System.Logger LOG = System.getLogger(Sweeper.class.getPackageName());

  /** Entries of one step: few enough that what it removes fits into one transaction. */
  private static final int STEP = 256;

  private static final Duration REST = Duration.ofMillis(100);

  /** Without an order no step can begin where the last one ended: each visits all. */
  private static final Duration REST_UNORDERED = Duration.ofMinutes(1);

  /** Where the engine removes what is due: for what others have put without telling it. */
  private static final Duration REST_BY_ENGINE = Duration.ofMinutes(1);

  private final TableView<?> table;
  private final OpenStore<?> store;
  private final InstantSource clock;
  private byte @Nullable [] last; // the last key that was visited; null to begin at the first

  private Sweeper(TableView<?> table, OpenStore<?> store, InstantSource clock) {
    this.table = table;
    this.store = store;
    this.clock = clock;
  }

  /**
   * @throws BadArgumentException if the table is not the store's own
   * @throws UnsupportedException if the engine cannot write or scan
   */
  static Sweeper of(Table table, InstantSource clock) {
    if (!(table instanceof TableView<?> view) || !view.isOfStore()) {
      throw new BadArgumentException(
          table + ": entries that expire need the store's own table, not one seen from elsewhere");
    }
    OpenStore<?> store = view.handle().store();
    store.require(Capability.WRITE);
    store.require(Capability.SCAN);
    return new Sweeper(view, store, clock);
  }

  /** Starts to sweep, unless the table is swept already; ends with the store. */
  void sweepInBackground() {
    if (isByEngine()) {
      table.handle().engineTable().expire(ExpiringCodec::dueForEngine);
    }
    store
        .sweeps()
        .computeIfAbsent(
            table,
            _ -> Thread.ofPlatform().daemon().name("stadium-sweep " + table).start(this::sweepOn));
  }

  private void sweepOn() {
    try {
      while (store.status().state() == StoreStatus.State.OPEN) {
        if (!sweepMore()) {
          LockSupport.parkNanos(rest().toNanos());
        }
      }
    } catch (ClosedException e) {
      // the store was closed or the table dropped: there is nothing left to sweep
    } finally {
      store.sweeps().remove(table);
    }
  }

  /** Whether to continue at once. */
  private boolean sweepMore() {
    try {
      return step() >= STEP / 4;
    } catch (ClosedException e) {
      throw e;
    } catch (ConflictException e) {
      return false; // others write here: the next step tries again
    } catch (StadiumException e) {
      LOG.log(System.Logger.Level.WARNING, table + ": removing what has expired failed", e);
      return false;
    }
  }

  /** Removes all that is due. */
  long sweepAll() {
    long removed = 0;
    last = null;
    do {
      removed += step();
    } while (last != null);
    return removed;
  }

  /** Visits the next entries and removes those that are due; returns how many those were. */
  private int step() {
    List<byte[]> due = new ArrayList<>();
    boolean ordered = isOrdered();
    Range range = last == null || !ordered ? Range.all() : Range.all().from(last, false);
    long now = clock.millis();
    int visited = 0;
    byte[] key = null;
    try (Cursor cursor = table.scan(range)) {
      while (cursor.next()) {
        key = cursor.key();
        if (isDue(cursor.value(), now)) {
          due.add(key);
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
    if (store.capabilities().contains(Capability.OPTIMISTIC_TRANSACTION)
        || store.capabilities().contains(Capability.PESSIMISTIC_TRANSACTION)) {
      return store.transact(tx -> {
        Table inside = tx.on(table);
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
      if (table.update(key, value -> value == null || isDue(value, now) ? null : value) == null) {
        removed++;
      }
    }
    return removed;
  }

  private Duration rest() {
    return isByEngine() ? REST_BY_ENGINE : isOrdered() ? REST : REST_UNORDERED;
  }

  /** The engine knows only the system clock, and no conditional tables. */
  private boolean isByEngine() {
    return store.capabilities().contains(Capability.EXPIRY)
        && clock.equals(InstantSource.system())
        && !table.handle().engineTable().isConditional();
  }

  private boolean isOrdered() {
    return store.capabilities().contains(Capability.ORDERED_SCAN);
  }

  private static boolean isDue(byte[] value, long now) {
    try {
      return ExpiringCodec.due(value) <= now;
    } catch (CorruptException e) {
      return false; // not put by this layer: reading it there fails with this
    }
  }
}

package io.kvstadium.store.internal;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Sweeps the expiring tables of a store in turn, on one thread that begins with the first of them
 * and ends with the store. A failure is logged when it begins and when it is over: a full disk must
 * not get a log that grows.
 */
final class Sweeps {
  /** How often the thread looks whether it is time for a table; this reads no entries. */
  static final Duration POLL = Duration.ofMillis(100);

  private final OpenStore<?> store;
  private final System.Logger log;
  private final Map<Object, Sweeper> sweepers = new ConcurrentHashMap<>();

  /** Those that fail, and with what; only used by the thread that sweeps. */
  private final Map<Sweeper, Class<?>> failing = new HashMap<>();

  Sweeps(OpenStore<?> store, System.Logger log) {
    this.store = store;
    this.log = log;
  }

  /** Those of a store, with a running thread. */
  static Sweeps start(OpenStore<?> store) {
    Sweeps sweeps = new Sweeps(store, System.getLogger(Store.class.getPackageName()));
    Thread.ofPlatform().daemon().name("stadium-sweep " + store.url()).start(sweeps::run);
    return sweeps;
  }

  /** Adds a table, and returns what sweeps it: this one, unless it is swept already. */
  Sweeper add(Sweeper sweeper) {
    Sweeper present = sweepers.putIfAbsent(sweeper.key(), sweeper);
    return present == null ? sweeper : present;
  }

  private void run() {
    while (store.isOpen()) {
      if (!turn()) {
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  /**
   * Lets each table whose time has come take a step.
   *
   * @return whether one of them wants to continue at once
   */
  boolean turn() {
    boolean more = false;
    for (Sweeper each : List.copyOf(sweepers.values())) {
      if (!each.isTime()) {
        continue;
      }
      try {
        more |= Listening.quietly(each::stepInBackground);
        worked(each);
      } catch (ClosedException e) { // the store was closed or the table dropped
        sweepers.remove(each.key(), each);
        failing.remove(each);
      } catch (RuntimeException | Error e) { // the other tables are swept nevertheless
        failed(each, e);
      }
    }
    return more;
  }

  /** Logs a failure, unless another table has reported its like. */
  private void failed(Sweeper sweeper, Throwable failure) {
    boolean known = failing.containsValue(failure.getClass());
    failing.put(sweeper, failure.getClass());
    if (!known) {
      log.log(
          System.Logger.Level.WARNING,
          sweeper
              + ": removing what has expired failed; it is tried again, more and more seldom, and"
              + " logged when it works again",
          failure);
    }
  }

  private void worked(Sweeper sweeper) {
    if (failing.remove(sweeper) != null && failing.isEmpty()) {
      log.log(System.Logger.Level.INFO, store.url() + ": removing what has expired works again");
    }
  }
}

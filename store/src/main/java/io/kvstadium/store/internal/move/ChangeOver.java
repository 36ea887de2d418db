package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** One change-over, while nobody else follows: it happens wholly, or nothing has changed. */
final class ChangeOver {
  /** How long it first follows while writers go on. */
  private static final Duration CATCH_UP = Duration.ofSeconds(30);

  private final MovingStore store;
  private final Side used;
  private final Side other;
  private final ChangeLog log;
  private final Portions portions;
  private final Runnable checkOpen;

  /**
   * @param other the store that follows
   * @param checkOpen throws if the store is being closed, which does not wait for what takes long
   */
  ChangeOver(MovingStore store, Side other, Runnable checkOpen) {
    this.store = store;
    this.used = store.roles().used();
    this.other = other;
    this.log = Objects.requireNonNull(store.roles().log());
    this.portions = new Portions(used, other);
    this.checkOpen = checkOpen;
  }

  /** Follows until little is left. */
  void catchUp() {
    long begun = System.nanoTime();
    while (!portions.follow(log, checkOpen)) {
      checkOpen.run();
      if (System.nanoTime() - begun > CATCH_UP.toNanos()) {
        throw new StadiumException(
            "the application writes faster than %s follows: change over when less is written"
                .formatted(other.url));
      }
    }
    used.names().forEach(other::made);
  }

  /** Compares all entries; those that are written meanwhile are looked at again. */
  void verify() {
    Suspects found = new Suspects();
    for (String table : used.names()) {
      for (Range<byte[]> rest = Range.all(); rest != null; ) {
        checkOpen.run();
        Portions.Part part = portions.compare(table, rest);
        for (Write<EngineTable> write : part.writes()) {
          while (!found.add(table, write.key())) {
            judge(found);
          }
        }
        judge(found);
        rest = part.rest(rest);
      }
    }
    while (!found.isEmpty()) {
      judge(found);
    }
  }

  private void judge(Suspects found) {
    if (found.isEmpty()) {
      return;
    }
    checkOpen.run();
    boolean _ = portions.follow(log, checkOpen);
    List<String> different = found.check(used, other, log);
    if (!different.isEmpty()) {
      throw new StadiumException(
          "%s and %s differ, as in %s: nothing was changed over"
              .formatted(used.url, other.url, different.getFirst()));
    }
  }

  /**
   * Exchanges the roles.
   *
   * @param maxWait how long writers may wait
   * @param commit makes it so for all who open the stores later
   * @return how many seconds they waited
   */
  double now(Duration maxWait, Runnable commit) {
    used.sync(); // so that little is left to sync while writers wait
    other.sync();
    long begun = System.nanoTime();
    pauseWriters(store, maxWait);
    try {
      Runnable check = () -> checkWait(begun, maxWait);
      do {
        check.run();
      } while (!portions.follow(log, check));
      used.names().forEach(other::made);
      store.prepare(other);
      used.sync(); // which follows from now on
      other.sync();
      MovingStore.Roles exchanged =
          new MovingStore.Roles(/* used= */ other, /* other= */ used, new ChangeLog(other));
      check.run();
      commit.run(); // what follows cannot fail
      store.exchange(exchanged);
      return (System.nanoTime() - begun) / 1e9;
    } finally {
      store.writers.writeLock().unlock();
    }
  }

  private static void checkWait(long begun, Duration maxWait) {
    if (System.nanoTime() - begun > maxWait.toNanos()) {
      throw new StadiumException(
          "what was written last was not applied within %d ms: nothing was changed over; try again, or let writers wait longer"
              .formatted(maxWait.toMillis()));
    }
  }

  /** Lets writers wait until the lock is released, if they end what they do in time. */
  static void pauseWriters(MovingStore store, Duration maxWait) {
    try {
      if (store.writers.writeLock().tryLock(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new StadiumException(
        "a transaction did not end within %d ms: nothing was changed; try again, or let writers wait longer"
            .formatted(maxWait.toMillis()));
  }
}

package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** The store of a run of misuse, closed and reopened while others use it. */
final class SharedStore {
  private final String url;
  private final AtomicLong clock = new AtomicLong();

  /** For each dropped table, until when everything written to it is gone. */
  private final Map<String, Long> dropped = new ConcurrentHashMap<>();

  /**
   * Write-locked while it is being closed and opened; read-locked by what needs it to stay open.
   */
  private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

  private volatile Store store;
  private volatile @Nullable Store leaving;
  private final AtomicInteger opening = new AtomicInteger();

  /** What everybody adds to. */
  private final List<Counter> counters =
      List.of(new Counter("c0"), new Counter("c1"), new Counter("c2"));

  /** For what expires. */
  private final Clock time = new Clock();

  SharedStore(String url) {
    this.url = url;
    this.store = Stadium.open(url);
  }

  Store get() {
    return store;
  }

  boolean can(Capability capability) {
    return store.capabilities().contains(capability);
  }

  /** Whether cursors and snapshots that are kept may let other calls fail as full. */
  boolean hasLimitOfReaders() {
    return store.engine().options().stream().anyMatch(option -> option.name().contains("readers"));
  }

  List<Counter> counters() {
    return counters;
  }

  Clock time() {
    return time;
  }

  /** How often it was opened again. */
  int opening() {
    return opening.get();
  }

  /** Whether it is closed, or somebody is about to close it: it may refuse calls. */
  @SuppressWarnings("ReferenceEquality") // each opening gives its own store
  boolean isLeaving(Store which) {
    return which == leaving || which != store;
  }

  /** Waits until it has been opened again, if it is closed. */
  @SuppressWarnings("LockNotBeforeTry") // there is nothing to do under it
  void awaitOpen() {
    life.readLock().lock();
    life.readLock().unlock();
  }

  /** A unique moment. */
  long tick() {
    return clock.incrementAndGet();
  }

  /** For each table that was dropped: what was written before this must no longer be seen. */
  Map<String, Long> dropped() {
    return Map.copyOf(dropped);
  }

  void drop(Store in, String table) {
    long begun = tick();
    in.dropTable(table);
    dropped.merge(table, begun, Math::max);
  }

  /** Closes it in some way and opens it again, or closes what another thread is closing. */
  void closeAndOpen(SplittableRandom random) {
    if (!life.writeLock().tryLock()) {
      Store going = leaving;
      if (going != null) {
        going.close();
      }
      return;
    }
    try {
      Store old = store;
      leaving = old;
      close(old, random);
      demandClosed(old);
      Store next = Stadium.open(url);
      opening.incrementAndGet(); // before anybody writes: if not persistent, it has forgotten
      store = next;
      leaving = null;
    } finally {
      life.writeLock().unlock();
    }
  }

  private static void close(Store store, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> store.close();
      case 1 -> {
        Thread other = Thread.ofPlatform().daemon().start(store::close);
        store.close();
        join(other);
      }
      case 2 -> {
        if (!store.close(Duration.ofNanos(random.nextInt(2_000_000)))) {
          store.close();
        }
      }
      default -> {
        store.close();
        store.close();
      }
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void demandClosed(Store store) {
    try {
      store.tables();
    } catch (ClosedException e) {
      return;
    }
    throw new WrongAnswer("a store answers after its close");
  }

  /** Tries to open what is open, or to destroy it. */
  void openTwice(SplittableRandom random) {
    if (!life.readLock().tryLock()) {
      return;
    }
    try {
      if (random.nextBoolean()) {
        Stadium.open(url).close();
      } else {
        Stadium.destroy(url);
      }
    } catch (LockedException e) {
      return;
    } finally {
      life.readLock().unlock();
    }
    throw new WrongAnswer("a second open, or a destroy, of a store that is open was let in");
  }

  /** A clock that moves only when it is told to. */
  static final class Clock implements InstantSource {
    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis());
    }

    @Override
    public long millis() {
      return millis.get();
    }

    void pass(long more) {
      millis.addAndGet(more);
    }
  }
}

package io.kvstadium.server.round;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Executes work on a store. All writes are made by one thread at a time, in rounds: what came while
 * one round was written makes up the next. Reads run beside it, several rounds at once, each of all
 * that waits when a thread becomes free.
 *
 * <p>Safe for all threads. {@link #close} executes what was handed over before, and then ends.
 */
public final class Rounds implements AutoCloseable {
  /** More work is left to the next round, so that answers do not wait for too much of others. */
  private static final int MOST = 1_024;

  private final Store store;
  private final InstantSource clock;
  private final boolean immediate;
  private final boolean snapshots;
  private final ReentrantLock turn = new ReentrantLock();
  private final LinkedBlockingQueue<Work> writes = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Work> reads = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean singly;
  private volatile boolean closing;

  /**
   * Starts the threads.
   *
   * @param readers how many threads read
   */
  public Rounds(Store store, int readers, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.immediate = !store.capabilities().contains(Capability.PERSISTENT);
    this.snapshots = store.capabilities().contains(Capability.SNAPSHOT);
    threads.add(Thread.ofPlatform().name("stadium-writer").start(() -> loop(writes, this::write)));
    for (int i = 0; i < readers; i++) {
      threads.add(
          Thread.ofPlatform().name("stadium-reader-" + i).start(() -> loop(reads, this::read)));
    }
  }

  /** The store. */
  public Store store() {
    return store;
  }

  /** Whether reads can be of one moment while others write. */
  public boolean snapshots() {
    return snapshots;
  }

  /**
   * Executes work that may write, after all such work that was handed over before.
   *
   * @param quick whether it takes microseconds if the engine does not wait for a disk: it is then
   *     executed on the calling thread, if the store is in memory only
   */
  public void write(Work work, boolean quick) {
    if (immediate && quick) {
      write(List.of(work));
    } else {
      writes.add(work);
    }
  }

  /** Executes work that only reads; see {@link #write(Work, boolean)} for {@code quick}. */
  public void read(Work work, boolean quick) {
    if (immediate && quick) {
      read(List.of(work));
    } else {
      reads.add(work);
    }
  }

  /** How much work waits. */
  public int waiting() {
    return writes.size() + reads.size();
  }

  private interface Execution {
    void of(List<Work> works);
  }

  private void loop(LinkedBlockingQueue<Work> queue, Execution execution) {
    List<Work> works = new ArrayList<>();
    try {
      while (true) {
        works.add(queue.take());
        queue.drainTo(works, singly ? 0 : MOST - 1);
        boolean last = works.removeIf(work -> work == End.END);
        if (!works.isEmpty()) {
          execution.of(List.copyOf(works));
          works.clear();
        }
        if (last) {
          queue.add(End.END); // for the other threads of this queue
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts these threads but the end of the JVM
    }
  }

  private void write(List<Work> works) {
    turn.lock();
    try {
      Round round = new Round(store, null, true, clock.millis());
      RuntimeException failure = null;
      try {
        execute(round, works);
        round.commit();
        if (store.durability() != Durability.POWER && works.stream().anyMatch(Work::power)) {
          store.sync();
        }
        singly = false;
      } catch (RuntimeException e) {
        // What fails here failed as a whole. Each of the next by itself: deletes may still succeed.
        singly = true;
        failure = e;
      }
      answer(works, failure);
    } finally {
      turn.unlock();
    }
  }

  private void read(List<Work> works) {
    RuntimeException failure = null;
    try {
      if (snapshots) {
        store.read(view -> {
          execute(new Round(store, view, false, clock.millis()), works);
          return null;
        });
      } else {
        execute(new Round(store, null, false, clock.millis()), works);
      }
    } catch (RuntimeException e) {
      failure = e;
    }
    answer(works, failure);
  }

  private static void execute(Round round, List<Work> works) {
    works.forEach(work -> work.announce(round));
    round.fetch();
    works.forEach(work -> work.execute(round));
  }

  private static void answer(
      List<Work> works, @org.jspecify.annotations.Nullable RuntimeException failure) {
    for (Work work : works) {
      if (failure == null) {
        work.done();
      } else {
        work.failed(failure);
      }
    }
  }

  /** Executes what was handed over before, then ends the threads. The store stays open. */
  @Override
  public void close() {
    if (closing) {
      return;
    }
    closing = true;
    writes.add(End.END);
    reads.add(End.END);
    for (Thread thread : threads) {
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
  }

  /** The end of a queue. */
  private enum End implements Work {
    END;

    @Override
    public void execute(Round round) {}

    @Override
    public void done() {}

    @Override
    public void failed(RuntimeException cause) {}
  }
}

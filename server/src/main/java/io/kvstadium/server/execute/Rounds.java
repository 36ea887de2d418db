package io.kvstadium.server.execute;

import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Executes work on a store. All writes are made by one thread at a time, in rounds: what arrives
 * while one round is written makes up the next. Reads run concurrently, in several rounds at once;
 * each round takes everything that waits when a thread becomes free.
 *
 * <p>Safe for all threads. {@link #close} executes what was handed over before, and then ends: what
 * comes later fails.
 */
public final class Rounds implements AutoCloseable {
  /** More work is left to the next round, so that answers do not wait for too much other work. */
  private static final int MOST = 1_024;

  /**
   * The limit where large rounds gain nothing: for reads, which several threads share, and for
   * writes that wait for no disk.
   */
  private static final int SMALL = 8;

  /**
   * Pipelines of 16 reads were a third faster distributed over the pool, on rocksdb and two cores;
   * single reads were a third faster on the event loop ({@code benchmarks/server.sh}).
   */
  private static final int FEW = 4;

  /** Scripts call themselves; memory is taken as they do. */
  private static final long STACK = 16 << 20;

  /** A commit that takes this many nanoseconds is mostly waiting for a disk. */
  private static final long SLOW_COMMIT = 2_000_000;

  /** The longest wait for others, in nanoseconds: the last commit may have been a large one. */
  private static final long MOST_PATIENCE = 10_000_000;

  /** The part of the heap that {@link KnownKeys} may take. */
  private static final int KNOWN = 64;

  private final Store store;
  private final InstantSource clock;
  private final Room room;
  private final ExistingTables tables;
  private final boolean immediate;
  private final boolean snapshots;
  private final int mostWrites;
  private final Cost readCost = new Cost();
  private final Cost writeCost = new Cost();
  private final ReentrantLock turn = new ReentrantLock();
  private final WorkQueue writes = new WorkQueue();
  private final WorkQueue reads = new WorkQueue();
  private final Quickness quickness = new Quickness();
  private final Prefetch prefetch = new Prefetch();
  private final KnownKeys known = new KnownKeys(Runtime.getRuntime().maxMemory() / KNOWN);
  private final Gaps.@Nullable OfStore gaps;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean singly;
  private volatile boolean syncAlways;

  /**
   * How many pieces of work should share the next sync: those answered after the last one and those
   * that arrived meanwhile. A client that has its answer is likely to send its next request at
   * once. Without waiting for it, two halves of the clients would take turns, each with its own
   * sync.
   */
  private volatile int companions;

  /** How long to wait for them, in nanoseconds; 0 unless the last sync was slow. */
  private volatile long patience;

  private volatile boolean closing;

  /**
   * Starts the threads.
   *
   * @param readers how many threads read
   */
  public Rounds(Store store, int readers, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.room = Room.of(store);
    this.tables = new ExistingTables(store);
    this.immediate = !store.capabilities().contains(Capability.PERSISTENT);
    this.snapshots = store.capabilities().contains(Capability.SNAPSHOT);
    this.mostWrites = immediate ? SMALL : MOST;
    this.gaps = // memory has nothing to step over
        !immediate && store.capabilities().contains(Capability.ORDERED_SCAN)
            ? new Gaps.OfStore()
            : null;
    threads.add(
        Thread.ofPlatform()
            .name("stadium-writer")
            .stackSize(STACK)
            .start(() -> loop(writes, mostWrites, this::write)));
    for (int i = 0; i < readers; i++) {
      threads.add(
          Thread.ofPlatform()
              .name("stadium-reader-" + i)
              .stackSize(STACK)
              .start(() -> loop(reads, SMALL, this::read)));
    }
  }

  /** Sets whether all that is written must survive a power cut, even if the store promises less. */
  public void syncAlways(boolean always) {
    syncAlways = always;
  }

  /** Whether {@link #syncAlways(boolean)} is set. */
  public boolean syncsAlways() {
    return syncAlways;
  }

  /** The store. */
  public Store store() {
    return store;
  }

  /** Whether reads can be from one moment while others write. */
  public boolean snapshots() {
    return snapshots;
  }

  /** The most pieces of work that may write in one round. */
  public int mostWrites() {
    return mostWrites;
  }

  /** The most pieces of work that only reads in one round. */
  public int mostReads() {
    return SMALL;
  }

  /**
   * Whether quick work that may write is best executed by {@link #writeNow}: nothing in the store
   * waits for a disk, and it takes less time than a hand-over.
   *
   * @param pieces its {@link Work#pieces}
   */
  public boolean writesAtOnce(int pieces) {
    return immediate && (pieces <= FEW || writeCost.small(pieces));
  }

  /**
   * Whether quick work that only reads is best executed by {@code readNow}: at present none of the
   * store's reads waits for a disk.
   *
   * @param pieces its {@link Work#pieces}: many are worth a hand-over, which lets them be read
   *     while others' replies are sent
   */
  public boolean readsAtOnce(int pieces) {
    return immediate
        ? pieces <= FEW || readCost.small(pieces)
        : pieces <= FEW && quickness.trusted();
  }

  /**
   * Executes work that may write, on this thread unless another one has the turn, or this one has
   * it for other work: that must be written first.
   */
  public void writeNow(Work work) {
    if (!turn.isHeldByCurrentThread() && turn.tryLock()) {
      try {
        write(List.of(work));
      } finally {
        turn.unlock();
      }
    } else {
      write(work); // nobody waits here for what may take long
    }
  }

  /** Executes work that only reads, on this thread. */
  public void readNow(Work work) {
    if (immediate) {
      read(List.of(work));
    } else {
      long begin = System.nanoTime();
      read(List.of(work));
      quickness.took(System.nanoTime() - begin);
    }
  }

  /** Executes work that may write, after all such work that was handed over before. */
  public void write(Collection<? extends Work> works) {
    handOver(writes, works);
  }

  /** {@link #write(Collection)} for one. */
  public void write(Work work) {
    handOver(writes, List.of(work));
  }

  /** Executes work that only reads, concurrently with everything else. */
  public void read(Collection<? extends Work> works) {
    handOver(reads, works);
  }

  /** {@link #read(Collection)} for one. */
  public void read(Work work) {
    handOver(reads, List.of(work));
  }

  private void handOver(WorkQueue queue, Collection<? extends Work> works) {
    if (!queue.add(works)) {
      works.forEach(
          work -> work.failed(new ClosedException(store.url() + ": the server has stopped")));
    }
  }

  /** The existing tables. */
  public ExistingTables tables() {
    return tables;
  }

  /** Whether there is space for more. */
  public Room room() {
    return room;
  }

  /** The number of waiting pieces of work. */
  public int waiting() {
    return writes.size() + reads.size();
  }

  private interface Execution {
    void of(List<Work> works);
  }

  private void loop(WorkQueue queue, int most, Execution execution) {
    List<Work> works = new ArrayList<>();
    try {
      while (queue.take(works, queue == writes && singly ? 1 : most)) {
        try {
          execution.of(works);
        } catch (RuntimeException
            | Error e) { // in an answer: without this thread there would be no more answers
          Thread thread = Thread.currentThread();
          thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
        works = new ArrayList<>();
        if (queue == writes && patience > 0) {
          queue.gather(companions, patience);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // only the end of the JVM interrupts these threads
    }
  }

  private void write(List<Work> works) {
    turn.lock();
    try {
      long started = System.nanoTime();
      Round round = round(null, known, moment());
      RuntimeException failure = null;
      boolean synced = store.durability() == Durability.POWER;
      try {
        execute(round, works);
        long begin = System.nanoTime();
        round.commit();
        if (!synced && (syncAlways || power(works) || power(round.joined()))) {
          store.sync();
          synced = true;
        }
        long end = System.nanoTime();
        writeCost.took(end - started, pieces(works));
        long took = end - begin;
        patience = synced && took >= SLOW_COMMIT ? Math.min(took / 2, MOST_PATIENCE) : 0;
        singly = false;
      } catch (RuntimeException | Error e) {
        // A round fails as a whole. The next work is done singly: deletes may still succeed.
        singly = true;
        patience = 0;
        failure = told(e);
        known.clear(); // an engine that failed may still have written some of it
      }
      room.written();
      companions = works.size() + writes.size();
      answer(works, failure);
      answer(round.joined(), failure);
    } finally {
      turn.unlock();
    }
  }

  private static boolean power(List<Work> works) {
    for (Work work : works) {
      if (work.power()) {
        return true;
      }
    }
    return false;
  }

  private static int pieces(List<Work> works) {
    int pieces = 0;
    for (Work work : works) {
      pieces += work.pieces();
    }
    return pieces;
  }

  private void read(List<Work> works) {
    long started = System.nanoTime();
    long moment = moment();
    RuntimeException failure = null;
    try {
      if (snapshots && works.stream().anyMatch(Work::whole)) {
        try (Snapshot view = store.snapshot()) {
          execute(round(view, null, moment), works);
        }
      } else {
        execute(round(null, null, moment), works);
      }
      readCost.took(System.nanoTime() - started, pieces(works));
    } catch (RuntimeException | Error e) {
      failure = told(e);
    }
    answer(works, failure);
  }

  private long moment() {
    return gaps == null ? 0 : gaps.moment();
  }

  private Round round(@Nullable Snapshot view, @Nullable KnownKeys own, long moment) {
    return new Round(store, view, own, gaps, moment, room, prefetch, clock.millis());
  }

  private static RuntimeException told(Throwable thrown) {
    return thrown instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(thrown.toString(), thrown);
  }

  private void execute(Round round, List<Work> works) {
    if (!immediate) { // reading together gains nothing in memory
      fetch(round, works);
    }
    for (Work work : works) {
      work.execute(round);
    }
  }

  private void fetch(Round round, List<Work> works) {
    for (Work work : works) {
      try {
        work.announce(round);
      } catch (RuntimeException e) {
        // Such as a table that does not exist: the work will run into it again and answer.
      }
    }
    round.fetch();
  }

  private static void answer(List<Work> works, @Nullable RuntimeException failure) {
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
    writes.close();
    reads.close();
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
}

package io.kvstadium.server.execute;

import io.kvstadium.server.execute.CommitGroup.Access;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Executes work on a store. All writes are made by one thread at a time, in commit groups: what
 * arrives while one group is written makes up the next. Reads run concurrently, in several groups
 * at once; each group takes everything that waits when a thread becomes free.
 *
 * <p>Safe for all threads. {@link #close} executes what was handed over before, and then ends: what
 * comes later fails.
 */
public final class Executor implements AutoCloseable {
  /**
   * More work is left to the next commit group, so that answers do not wait for too much other
   * work.
   */
  private static final int MAX = 1_024;

  /**
   * The limit where large commit groups gain nothing: for reads, which several threads share, and
   * for writes that wait for no disk.
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
  private static final long MAX_PATIENCE = 10_000_000;

  /** The most memory of {@link HotEntries}, and the part of the heap that it may take. */
  private static final long HOT = 64 << 20;

  private static final int HOT_SHARE = 8;

  private final Store store;
  private final InstantSource clock;
  private final DiskReserve reserve;
  private final ExistingTables tables;
  private final boolean immediate;
  private final boolean snapshots;
  private final int maxWrites;
  private final Cost readCost = new Cost();
  private final Cost writeCost = new Cost();
  private final ReentrantLock turn = new ReentrantLock();
  private final TaskQueue writes = new TaskQueue();
  private final TaskQueue reads = new TaskQueue();
  private final ReadLatencyGuard readLatency = new ReadLatencyGuard();
  private final PrefetchLimit prefetchLimit = new PrefetchLimit();
  private final @Nullable HotEntries hot;
  private final EmptyRanges.@Nullable OfStore emptyRanges;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean singly;
  private volatile boolean syncAlways;

  /**
   * How many tasks should share the next sync: those answered after the last one and those that
   * arrived meanwhile. A client that has its answer is likely to send its next request at once.
   * Without waiting for it, two halves of the clients would take turns, each with its own sync.
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
  public Executor(Store store, int readers, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.reserve = DiskReserve.of(store);
    this.immediate = immediate(store);
    this.snapshots = store.capabilities().contains(Capability.SNAPSHOT);
    this.maxWrites = immediate ? SMALL : MAX;
    this.hot =
        belongsToThis(store)
            ? new HotEntries(Math.min(HOT, Runtime.getRuntime().maxMemory() / HOT_SHARE))
            : null;
    this.tables = new ExistingTables(store, hot);
    this.emptyRanges = // memory has nothing to step over
        !immediate && store.capabilities().contains(Capability.ORDERED_SCAN)
            ? new EmptyRanges.OfStore()
            : null;
    threads.add(
        Thread.ofPlatform()
            .name("stadium-writer")
            .stackSize(STACK)
            .start(() -> loop(writes, maxWrites, this::write)));
    for (int i = 0; i < readers; i++) {
      threads.add(
          Thread.ofPlatform()
              .name("stadium-reader-" + i)
              .stackSize(STACK)
              .start(() -> loop(reads, SMALL, this::read)));
    }
  }

  /** Whether nobody else writes to a store: then what was read once is known. */
  private static boolean belongsToThis(Store store) {
    StoreUrl url = StoreUrl.parse(store.url());
    boolean isLocal = store.engine().onDisk() ? !url.location().startsWith("//") : immediate(store);
    return isLocal
        && store.capabilities().contains(Capability.WRITE)
        && !url.options().containsKey("adopt");
  }

  private static boolean immediate(Store store) {
    return !store.capabilities().contains(Capability.PERSISTENT);
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

  /** The most tasks that may write in one commit group. */
  public int maxWrites() {
    return maxWrites;
  }

  /** The most tasks that only reads in one commit group. */
  public int maxReads() {
    return SMALL;
  }

  /**
   * Whether quick work that may write is best executed by {@link #writeNow}: nothing in the store
   * waits for a disk, and it takes less time than a hand-over.
   *
   * @param requests its {@link Task#requests}
   */
  public boolean writesAtOnce(int requests) {
    return immediate && (requests <= FEW || writeCost.small(requests));
  }

  /**
   * Whether quick work that only reads is best executed by {@code readNow}: at present none of the
   * store's reads waits for a disk.
   *
   * @param requests its {@link Task#requests}: many are worth a hand-over, which lets them be read
   *     while others' replies are sent
   */
  public boolean readsAtOnce(int requests) {
    return immediate
        ? requests <= FEW || readCost.small(requests)
        : requests <= FEW && readLatency.trusted();
  }

  /**
   * Executes work that may write, on this thread unless another one has the turn, or this one has
   * it for other work: that must be written first.
   */
  public void writeNow(Task task) {
    if (!turn.isHeldByCurrentThread() && turn.tryLock()) {
      try {
        write(List.of(task));
      } finally {
        turn.unlock();
      }
    } else {
      write(task); // nobody waits here for what may take long
    }
  }

  /** Executes work that only reads, on this thread. */
  public void readNow(Task task) {
    if (immediate) {
      read(List.of(task));
    } else {
      long begin = System.nanoTime();
      read(List.of(task));
      readLatency.took(System.nanoTime() - begin);
    }
  }

  /**
   * Executes work that only reads on this thread as far as all that it reads is at hand; returns
   * whether that was the whole. Else {@link Task#execute} was ended by a {@link ColdException}, and
   * is to be called again in {@link #read(Collection)} for the rest.
   */
  public boolean readHot(Task task) {
    if (hot == null) {
      return false;
    }
    CommitGroup commitGroup = commitGroup(null, Access.READ_HOT, moment());
    prefetch(commitGroup, List.of(task));
    commitGroup.touchPrefetched();
    RuntimeException failure = null;
    try {
      task.execute(commitGroup);
      commitGroup.count();
    } catch (ColdException e) {
      commitGroup.count();
      return false;
    } catch (RuntimeException | Error e) {
      failure = unchecked(e);
    }
    answer(List.of(task), failure);
    return true;
  }

  /** The entries that need no read in the store, or {@code null} if there are none. */
  public @Nullable HotEntries hot() {
    return hot;
  }

  /** Executes work that may write, after all such work that was handed over before. */
  public void write(Collection<? extends Task> tasks) {
    handOver(writes, tasks);
  }

  /** {@link #write(Collection)} for one. */
  public void write(Task task) {
    handOver(writes, List.of(task));
  }

  /** Executes work that only reads, concurrently with everything else. */
  public void read(Collection<? extends Task> tasks) {
    handOver(reads, tasks);
  }

  /** {@link #read(Collection)} for one. */
  public void read(Task task) {
    handOver(reads, List.of(task));
  }

  private void handOver(TaskQueue queue, Collection<? extends Task> tasks) {
    if (!queue.add(tasks)) {
      tasks.forEach(
          task -> task.failed(new ClosedException(store.url() + ": the server has stopped")));
    }
  }

  /** The existing tables. */
  public ExistingTables tables() {
    return tables;
  }

  /** Whether there is space for more. */
  public DiskReserve reserve() {
    return reserve;
  }

  /** The number of waiting tasks. */
  public int waiting() {
    return writes.size() + reads.size();
  }

  private interface Execution {
    void of(List<Task> tasks);
  }

  private void loop(TaskQueue queue, int max, Execution execution) {
    List<Task> tasks = new ArrayList<>();
    try {
      while (queue.take(tasks, queue == writes && singly ? 1 : max)) {
        try {
          execution.of(tasks);
        } catch (RuntimeException
            | Error e) { // in an answer: without this thread there would be no more answers
          Thread thread = Thread.currentThread();
          thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
        tasks = new ArrayList<>();
        if (queue == writes && patience > 0) {
          queue.gather(companions, patience);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // only the end of the JVM interrupts these threads
    }
  }

  private void write(List<Task> tasks) {
    turn.lock();
    try {
      long started = System.nanoTime();
      CommitGroup commitGroup = commitGroup(null, Access.WRITE, moment());
      RuntimeException failure = null;
      boolean synced = store.durability() == Durability.POWER;
      try {
        execute(commitGroup, tasks);
        long begin = System.nanoTime();
        commitGroup.commit();
        if (!synced && (syncAlways || needsSync(tasks) || needsSync(commitGroup.joined()))) {
          store.sync();
          synced = true;
        }
        long end = System.nanoTime();
        writeCost.took(end - started, requests(tasks));
        long took = end - begin;
        patience = synced && took >= SLOW_COMMIT ? Math.min(took / 2, MAX_PATIENCE) : 0;
        singly = false;
      } catch (RuntimeException | Error e) {
        // A commit group fails as a whole. The next work is done singly: deletes may still succeed.
        singly = true;
        patience = 0;
        failure = unchecked(e);
        if (hot != null) {
          hot.abandon(); // an engine that failed may still have written some of it
        }
      }
      reserve.written();
      companions = tasks.size() + writes.size();
      answer(tasks, failure);
      answer(commitGroup.joined(), failure);
    } finally {
      turn.unlock();
    }
  }

  private static boolean needsSync(List<Task> tasks) {
    for (Task task : tasks) {
      if (task.needsSync()) {
        return true;
      }
    }
    return false;
  }

  private static int requests(List<Task> tasks) {
    int requests = 0;
    for (Task task : tasks) {
      requests += task.requests();
    }
    return requests;
  }

  private void read(List<Task> tasks) {
    long started = System.nanoTime();
    long moment = moment();
    RuntimeException failure = null;
    try {
      if (snapshots && tasks.stream().anyMatch(Task::needsSnapshot)) {
        try (Snapshot view = store.snapshot()) {
          execute(commitGroup(view, Access.READ, moment), tasks);
        }
      } else {
        execute(commitGroup(null, Access.READ, moment), tasks);
      }
      readCost.took(System.nanoTime() - started, requests(tasks));
    } catch (RuntimeException | Error e) {
      failure = unchecked(e);
    }
    answer(tasks, failure);
  }

  private long moment() {
    return emptyRanges == null ? 0 : emptyRanges.moment();
  }

  private CommitGroup commitGroup(@Nullable Snapshot view, Access access, long moment) {
    return new CommitGroup(
        store,
        view,
        access,
        view == null ? hot : null,
        emptyRanges,
        moment,
        reserve,
        prefetchLimit,
        clock.millis(),
        turn);
  }

  private static RuntimeException unchecked(Throwable thrown) {
    return thrown instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(thrown.toString(), thrown);
  }

  private void execute(CommitGroup commitGroup, List<Task> tasks) {
    prefetch(commitGroup, tasks);
    if (immediate) { // reading together gains nothing in memory
      commitGroup.touchPrefetched();
    } else {
      commitGroup.loadPrefetched();
    }
    for (Task task : tasks) {
      task.execute(commitGroup);
    }
    commitGroup.count();
  }

  private static void prefetch(CommitGroup commitGroup, List<Task> tasks) {
    for (Task task : tasks) {
      try {
        task.prefetch(commitGroup);
      } catch (RuntimeException e) {
        // Such as a table that does not exist: the work will run into it again and answer.
      }
    }
  }

  private static void answer(List<Task> tasks, @Nullable RuntimeException failure) {
    for (Task task : tasks) {
      if (failure == null) {
        task.done();
      } else {
        task.failed(failure);
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

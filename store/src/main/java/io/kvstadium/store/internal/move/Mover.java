package io.kvstadium.store.internal.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Move;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a move, on a thread of its own: copies, follows, and changes over. All that it does
 * can be repeated; what must not be forgotten is in the directories' {@link MoveMark}, and how far
 * the copy is in the other store, in the same batch as its entries.
 */
public final class Mover implements Move {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** Between two looks at the log if there is nothing else to do. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** After a failure, such as a full disk. */
  private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The other store is in step if it had everything this short a time ago. */
  private static final double IN_STEP_SECONDS = 1;

  /** How long writers may wait for the end of a move, of which nothing takes long. */
  private static final Duration END_WAIT = Duration.ofSeconds(1);

  private final MovingStore store;
  private final MoveFiles files;
  private final long bytesPerSecond;
  private final Consumer<Status> listener;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final Suspects suspects = new Suspects();
  private final Thread thread;
  private volatile MoveMark mark;
  private volatile State state;
  private volatile @Nullable String problem;
  private volatile boolean fatal;
  private volatile boolean ended;
  private volatile @Nullable ShadowReads shadow;
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile double waitSeconds;
  private volatile long inStepNanos = System.nanoTime();
  private @Nullable CopyPosition position;

  private record Request(Supplier<Status> work, CompletableFuture<Status> done) {}

  /**
   * @param store whose roles are as the mark says
   * @param bytesPerSecond the most that is copied; 0 for as much as is possible
   * @param problem why it cannot go on, if that is known, or {@code null}
   * @param listener is told of each new state
   */
  public Mover(
      MovingStore store,
      MoveMark mark,
      long bytesPerSecond,
      double share,
      @Nullable String problem,
      Consumer<Status> listener) {
    this.store = store;
    this.mark = mark;
    this.bytesPerSecond = bytesPerSecond;
    this.problem = problem;
    this.fatal = problem != null;
    this.listener = listener;
    this.files = new MoveFiles(store.roles(), mark);
    this.state = mark.stage() == MoveMark.Stage.OVER ? State.OVER : State.CHECKING;
    this.thread =
        Thread.ofPlatform().daemon().name("stadium-move " + mark.origin()).unstarted(this::run);
    store.beforeClose(this::end);
    shadowNow(share);
  }

  public void start() {
    thread.start();
  }

  private void end() {
    ended = true;
    LockSupport.unpark(thread);
    join(thread);
    ShadowReads reads = shadow;
    if (reads != null) {
      reads.end();
    }
  }

  /** Waits for the end of a thread; an interrupt shows afterwards. */
  static void join(Thread ending) {
    boolean interrupted = false;
    while (ending.isAlive()) {
      try {
        ending.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!ended) {
      long pause = PAUSE_NANOS;
      try {
        answer();
        if (isOn() && !fatal) {
          pause = step() ? 0 : PAUSE_NANOS;
          problem = null;
        }
      } catch (RuntimeException e) {
        failed(e, e instanceof StadiumException known && known.blocks() != Failure.Blocks.NOTHING);
        pause = FAILED_NANOS;
      } catch (Error e) { // such as a library that cannot be loaded
        failed(e, true);
      }
      files.write(status());
      if (pause > 0 && requests.isEmpty() && !ended) {
        LockSupport.parkNanos(pause);
      }
    }
    files.write(status());
    for (Request left = requests.poll(); left != null; left = requests.poll()) {
      left.done.completeExceptionally(new ClosedException("the store is closed"));
    }
  }

  /** The application is not told: it goes on without the other store. */
  private void failed(Throwable e, boolean blocked) {
    fatal = blocked;
    String text =
        blocked
            ? "the application goes on, the move waits until the store is opened again: "
            : "the application goes on, the move tries again each second: ";
    String said = text + e.getMessage();
    if (!said.equals(problem)) {
      LOG.log(
          e instanceof FullException ? System.Logger.Level.WARNING : System.Logger.Level.ERROR,
          "the move of " + mark.origin() + " to " + mark.target() + ": " + said,
          e);
      problem = said;
      tell();
    }
  }

  private boolean isOn() {
    return mark.isOn();
  }

  private void become(State now) {
    if (state != now) {
      state = now;
      tell();
    }
  }

  private void tell() {
    try {
      listener.accept(status());
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "a listener failed when told of a move", e);
    }
  }

  // ---- copying and following

  /** Does a portion of what there is to do; false if that was all. */
  private boolean step() {
    MovingStore.Roles roles = store.roles();
    Side other = Objects.requireNonNull(roles.other());
    position = position(other);
    if (position.isChecking()) {
      position = check(roles, position);
      return true;
    }
    boolean copied = position.isDone();
    boolean drained = follow(roles, other);
    if (!copied) {
      become(State.COPYING);
      position = copy(roles.used(), other, position);
      return true;
    }
    if (state != State.OVER) {
      become(drained ? State.IN_STEP : secondsBehind() > IN_STEP_SECONDS ? State.FOLLOWING : state);
    }
    return !drained;
  }

  private CopyPosition position(Side other) {
    CopyPosition known = position;
    return known != null
        ? known
        : mark.stage() == MoveMark.Stage.OVER ? CopyPosition.DONE : CopyPosition.of(other);
  }

  private boolean follow(MovingStore.Roles roles, Side other) {
    ChangeLog log = Objects.requireNonNull(roles.log());
    long begun = System.nanoTime();
    boolean drained = new Portions(roles.used(), other).follow(log);
    if (drained) {
      inStepNanos = begun;
    }
    if (!suspects.isEmpty()) {
      List<String> different = suspects.check(roles.used(), other, log);
      ShadowReads reads = shadow;
      if (reads != null && !different.isEmpty()) {
        reads.different(different);
      }
    }
    return drained;
  }

  private double secondsBehind() {
    return (System.nanoTime() - inStepNanos) / 1e9;
  }

  /** Whether the new store can hold what is there; new entries are checked by the library. */
  private CopyPosition check(MovingStore.Roles roles, CopyPosition at) {
    Side other = Objects.requireNonNull(roles.other());
    CopyPosition next = new EntryCheck(roles.used(), other).portion(at);
    if (next.isChecking()) {
      return next;
    }
    other.write(List.of(next.note(other)));
    return next;
  }

  private CopyPosition copy(Side used, Side other, CopyPosition at) {
    long begun = System.nanoTime();
    String table = at.tableOf(used.names());
    CopyPosition[] next = {CopyPosition.DONE};
    if (table == null) {
      other.write(List.of(CopyPosition.DONE.note(other)));
      return CopyPosition.DONE;
    }
    Portions.Done done =
        new Portions(used, other)
            .equalize(
                table,
                at.rangeIn(table),
                portion -> {
                  next[0] = at.after(table, portion.last());
                  return List.of(next[0].note(other));
                });
    entries.addAndGet(done.entries());
    bytes.addAndGet(done.bytes());
    if (bytesPerSecond > 0) {
      long due = begun + (long) (done.bytes() * 1e9 / bytesPerSecond);
      while (due - System.nanoTime() > 0 && requests.isEmpty() && !ended) {
        LockSupport.parkNanos(Math.min(PAUSE_NANOS, due - System.nanoTime()));
      }
    }
    return next[0];
  }

  // ---- what is asked for

  private void answer() {
    files.request(this);
    for (Request request = requests.poll(); request != null; request = requests.poll()) {
      try {
        request.done.complete(request.work.get());
      } catch (RuntimeException e) {
        request.done.completeExceptionally(e);
      }
    }
  }

  private Status ask(Supplier<Status> work) {
    if (Thread.currentThread().equals(thread)) {
      return work.get();
    }
    CompletableFuture<Status> done = new CompletableFuture<>();
    requests.add(new Request(work, done));
    LockSupport.unpark(thread);
    checkOpen();
    try {
      return done.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  @Override
  public Status status() {
    MovingStore.Roles roles = store.roles();
    ChangeLog log = roles.log();
    ShadowReads reads = shadow;
    return new Status(
        mark.origin().toString(),
        mark.target().toString(),
        state,
        entries.get(),
        bytes.get(),
        log == null ? 0 : log.pending(),
        log == null ? 0 : secondsBehind(),
        waitSeconds,
        problem,
        reads == null ? ShadowReads.none() : reads.status());
  }

  @Override
  public void shadow(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new BadArgumentException("shadow=" + share + ": write a share from 0 to 1, as in 0.01");
    }
    var _ =
        ask(() -> {
          shadowNow(share);
          return status();
        });
  }

  private void shadowNow(double share) {
    ShadowReads before = shadow;
    if (before != null) {
      before.end();
    }
    Side other = store.roles().other();
    ShadowReads reads = share == 0 || other == null ? null : new ShadowReads(share, suspects);
    shadow = reads;
    store.shadow(reads);
    if (reads != null) {
      reads.start(Objects.requireNonNull(other));
    }
  }

  @Override
  public Status over(Duration maxWait, boolean verify) {
    return ask(() -> exchange(MoveMark.Stage.OVER, maxWait, verify));
  }

  @Override
  public Status back(Duration maxWait, boolean verify) {
    return ask(() -> exchange(MoveMark.Stage.BEGUN, maxWait, verify));
  }

  private Status exchange(MoveMark.Stage stage, Duration maxWait, boolean verify) {
    checkOn();
    if (mark.stage() == stage) {
      throw new BadArgumentException(
          "the application uses %s already".formatted(store.roles().used().url));
    }
    MovingStore.Roles roles = store.roles();
    Side other = roles.other();
    if (other == null || fatal) {
      throw new StadiumException("there is no store to change over to: " + problem);
    }
    if (!position(other).isDone()) {
      throw new StadiumException(
          "the move is still %s: wait until it is in step".formatted(state.word()));
    }
    ChangeOver change = new ChangeOver(store, roles, other, this::checkOpen);
    change.catchUp();
    if (verify) {
      change.verify();
    }
    waitSeconds =
        change.now(
            maxWait,
            () -> {
              MoveMark next = mark.at(stage);
              files.mark(next);
              mark = next;
            });
    inStepNanos = System.nanoTime();
    double share = shadow == null ? 0 : shadow.status().share();
    shadowNow(share); // of the store that follows now
    become(stage == MoveMark.Stage.OVER ? State.OVER : State.FOLLOWING);
    return status();
  }

  /** A close does not wait for the end of what takes long. */
  private void checkOpen() {
    if (ended) {
      throw new ClosedException("the store is closed");
    }
  }

  private void checkOn() {
    if (!isOn()) {
      throw new BadArgumentException("the move is " + state.word());
    }
  }

  @Override
  public Status finish() {
    return ask(() -> endAs(MoveMark.Stage.OVER, MoveMark.Stage.FINISHED, State.FINISHED));
  }

  @Override
  public Status cancel() {
    return ask(() -> endAs(MoveMark.Stage.BEGUN, MoveMark.Stage.CANCELLED, State.CANCELLED));
  }

  private Status endAs(MoveMark.Stage needed, MoveMark.Stage stage, State last) {
    checkOn();
    if (mark.stage() != needed) {
      throw new BadArgumentException(
          needed == MoveMark.Stage.OVER
              ? "the application uses the old store: change over first, or cancel"
              : "the application uses the new store: go back first, or finish");
    }
    MovingStore.Roles roles = store.roles();
    ChangeOver.pauseWriters(store, END_WAIT);
    try {
      MoveMark next = mark.at(stage);
      files.mark(next);
      mark = next;
      store.exchange(new MovingStore.Roles(roles.used(), roles.other(), null));
    } finally {
      store.writers.writeLock().unlock();
    }
    shadowNow(0);
    problem = null;
    files.forget(mark, roles);
    become(last);
    return status();
  }
}

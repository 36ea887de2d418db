package io.kvstadium.store.internal.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Move;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.engine.declare.Failure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a move, on a thread of its own: copies, follows, and changes over. All that it does
 * can be repeated; what must not be forgotten is in the directories' {@link MoveMark}, and how far
 * the copy is in the other store, in the same batch as its entries.
 */
public final class Mover implements Move {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** After a failure, such as a full disk. */
  private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often the status is written at most, unless there is a new state. */
  private static final long WRITTEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** How long writers may wait for the end of a move, of which nothing takes long. */
  private static final Duration END_WAIT = Duration.ofSeconds(1);

  private final MovingStore store;
  private final MoveFiles files;
  private final Follower follower;
  private final @Nullable StoreListener listener;
  private final Thread thread;

  /** Held for each portion, and by each call that changes something. */
  private final ReentrantLock work = new ReentrantLock(/* fair= */ true);

  private volatile MoveMark mark;
  private volatile State state;
  private volatile @Nullable String problem;
  private volatile boolean blocked;
  private volatile boolean ended;
  private volatile @Nullable ShadowReads shadow;
  private volatile double waitSeconds;

  private long writtenNanos;
  private @Nullable State written;

  /**
   * @param store whose roles are as the mark says
   * @param mark of the first of the directories
   * @param bytesPerSecond the most that is copied; 0 for as much as is possible
   * @param problem why it cannot go on, if that is known, or {@code null}
   * @param listener is told of each new state
   */
  public Mover(
      MovingStore store,
      MoveMark mark,
      MoveFiles files,
      long bytesPerSecond,
      double share,
      @Nullable String problem,
      @Nullable StoreListener listener) {
    this.store = store;
    this.mark = mark;
    this.files = files;
    this.follower = new Follower(store, bytesPerSecond, this::checkOpen);
    this.problem = problem;
    this.blocked = problem != null;
    this.listener = listener;
    this.state = mark.state();
    this.thread =
        Thread.ofPlatform().daemon().name("stadium-move " + mark.from()).unstarted(this::run);
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
    work.lock(); // what was asked for ends first
    try {
      shadowNow(0);
    } finally {
      work.unlock();
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
      long pause = Follower.PAUSE_NANOS;
      work.lock();
      try {
        files.answer(this);
        if (mark.isOn() && !blocked) {
          pause = step();
          if (problem != null) {
            problem = null;
            tell();
          }
        }
      } catch (ClosedException e) {
        pause = 0; // which ends it
      } catch (RuntimeException e) {
        failed(e, e instanceof StadiumException known && known.blocks() != Failure.Blocks.NOTHING);
        pause = FAILED_NANOS;
      } catch (Error e) { // such as a library that cannot be loaded
        failed(e, true);
      } finally {
        work.unlock();
      }
      write();
      if (pause > 0 && !ended) {
        LockSupport.parkNanos(pause);
      }
    }
    written = null;
    write();
  }

  private void write() {
    long now = System.nanoTime();
    if (mark.isOn() && (state != written || now - writtenNanos > WRITTEN_NANOS)) {
      written = state;
      writtenNanos = now;
      files.status(status());
    }
  }

  /** The application is not told: it goes on without the other store. */
  private void failed(Throwable e, boolean blocks) {
    blocked = blocks;
    String said =
        "the application goes on, the move %s: %s"
            .formatted(
                blocks ? "waits until the store is opened again" : "tries again each second",
                e.getMessage());
    if (!said.equals(problem)) {
      LOG.log(
          e instanceof FullException ? System.Logger.Level.WARNING : System.Logger.Level.ERROR,
          "the move of " + mark.from() + " to " + mark.to() + ": " + said,
          e);
      problem = said;
      tell();
    }
  }

  private void become(State now) {
    if (state != now) {
      state = now;
      tell();
    }
  }

  private void tell() {
    if (listener != null) {
      try {
        listener.moved(status());
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.WARNING, "a listener failed when told of a move", e);
      }
    }
  }

  /** Does a portion of what there is to do; returns for how long there is nothing, or 0. */
  private long step() {
    State now = follower.step(other(), mark.isOver(), shadow);
    become(mark.isOver() ? State.OVER : now);
    return follower.pauseNanos();
  }

  /** The store that follows; it must not be one whose files are gone, which nobody could open. */
  private Side other() {
    Side other = store.roles().other();
    if (other == null || blocked) {
      throw new StadiumException("there is no store that follows: " + problem);
    }
    if (!other.isInPlace()) {
      throw new StoreIoException(
          other.directory() + " is not the directory any more that was opened: cancel the move");
    }
    return other;
  }

  // ---- what is asked for

  /** Does something between two portions. */
  private Status between(Runnable step) {
    if (store.writers.getReadHoldCount() > 0) {
      throw new StadiumException("this waits for all transactions: call it outside of one");
    }
    work.lock();
    try {
      checkOpen();
      step.run();
      return status();
    } finally {
      work.unlock();
    }
  }

  @Override
  public Status status() {
    ChangeLog log = store.roles().log();
    ShadowReads reads = shadow;
    return new Status(
        mark.from().toString(),
        mark.to().toString(),
        state,
        follower.entries(),
        follower.bytes(),
        log == null ? 0 : log.pending(),
        log == null ? 0 : follower.secondsBehind(),
        waitSeconds,
        problem,
        reads == null ? null : reads.status());
  }

  @Override
  public Status shadow(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new BadArgumentException("shadow=" + share + ": write a share from 0 to 1, as in 0.01");
    }
    return between(() -> shadowNow(share));
  }

  private void shadowNow(double share) {
    ShadowReads before = shadow;
    if (before != null) {
      before.end();
    }
    Side other = store.roles().other();
    shadow = share == 0 || other == null ? null : new ShadowReads(share, other);
    store.shadow(shadow);
  }

  @Override
  public Status over(Duration maxWait, boolean verify) {
    return between(() -> exchange(State.OVER, maxWait, verify));
  }

  @Override
  public Status back(Duration maxWait, boolean verify) {
    return between(() -> exchange(State.CHECKING, maxWait, verify));
  }

  private void exchange(State next, Duration maxWait, boolean verify) {
    checkOn();
    if (mark.state() == next) {
      throw new BadArgumentException(
          "the application uses %s already".formatted(store.roles().used().url));
    }
    Side other = other();
    if (!follower.hasAll(other, mark.isOver())) {
      throw new StadiumException(
          "the move is still %s: wait until it is in step".formatted(state.word()));
    }
    ChangeOver change = new ChangeOver(store, other, this::checkOpen);
    change.catchUp();
    if (verify) {
      change.verify();
    }
    waitSeconds = change.now(maxWait, () -> mark(next));
    files.repair(mark);
    follower.isInStep();
    if (shadow != null) {
      shadowNow(shadow.status().share()); // of the store that follows now
    }
    become(next == State.OVER ? State.OVER : State.FOLLOWING);
  }

  private void mark(State next) {
    files.mark(mark.at(next));
    mark = mark.at(next);
  }

  /** A close does not wait for the end of what takes long. */
  private void checkOpen() {
    if (ended) {
      throw new ClosedException("the store is closed");
    }
  }

  private void checkOn() {
    if (!mark.isOn()) {
      throw new BadArgumentException("the move is " + state.word());
    }
  }

  @Override
  public Status finish() {
    return between(() -> endAs(State.OVER, State.FINISHED));
  }

  @Override
  public Status cancel() {
    return between(() -> endAs(State.CHECKING, State.CANCELLED));
  }

  private void endAs(State needed, State last) {
    checkOn();
    if (mark.state() != needed) {
      throw new BadArgumentException(
          needed == State.OVER
              ? "the application uses the old store: change over first, or cancel"
              : "the application uses the new store: go back first, or finish");
    }
    MovingStore.Roles roles = store.roles();
    ChangeOver.pauseWriters(store, END_WAIT);
    try {
      mark(last);
      store.exchange(new MovingStore.Roles(roles.used(), roles.other(), null));
    } finally {
      store.writers.writeLock().unlock();
    }
    files.repair(mark);
    shadowNow(0);
    problem = null;
    become(last);
    files.end(roles.used()); // which the next open does, if it fails
  }
}

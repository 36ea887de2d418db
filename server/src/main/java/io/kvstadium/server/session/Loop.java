package io.kvstadium.server.session;

import io.kvstadium.server.execute.Rounds;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The exchange of one event loop with the threads that execute: what all its connections received
 * in one pass is handed over together, and what was executed together comes back together, so that
 * each side wakes the other once and not for every request.
 */
public final class Loop {
  private final EventExecutor executor;
  private final Rounds rounds;
  private final ConcurrentLinkedQueue<Runnable> back = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean coming = new AtomicBoolean();
  private List<Segment> reads = new ArrayList<>();
  private List<Segment> writes = new ArrayList<>();
  private boolean leaving;

  public Loop(EventExecutor executor, Rounds rounds) {
    this.executor = executor;
    this.rounds = rounds;
  }

  /** Only on the event loop, like {@link #write}. */
  void read(Segment segment) {
    reads.add(segment);
    if (reads.size() == rounds.mostReads()) { // these are executed while more arrives
      handOverReads();
    } else {
      leave();
    }
  }

  void write(Segment segment) {
    writes.add(segment);
    if (writes.size() == rounds.mostWrites()) {
      handOverWrites();
    } else {
      leave();
    }
  }

  private void leave() {
    if (!leaving) {
      leaving = true;
      executor.execute(this::handOver); // after what other connections have already received
    }
  }

  private void handOver() {
    leaving = false;
    handOverWrites();
    handOverReads();
  }

  private void handOverWrites() {
    if (!writes.isEmpty()) {
      rounds.write(writes);
      writes = new ArrayList<>();
    }
  }

  private void handOverReads() {
    if (!reads.isEmpty()) {
      rounds.read(reads);
      reads = new ArrayList<>();
    }
  }

  /**
   * Runs something on the event loop, soon. May be called by any thread.
   *
   * @param failed gets what the task throws, which must not keep others from coming back
   */
  void run(Runnable task, Consumer<Throwable> failed) {
    back.add(() -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        failed.accept(e);
      }
    });
    if (!coming.getAndSet(true)) {
      executor.execute(this::comeBack);
    }
  }

  private void comeBack() {
    coming.set(false);
    for (Runnable task = back.poll(); task != null; task = back.poll()) {
      task.run();
    }
  }
}

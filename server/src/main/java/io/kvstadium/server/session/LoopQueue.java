package io.kvstadium.server.session;

import io.kvstadium.server.execute.Executor;
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
public final class LoopQueue {
  private final EventExecutor loop;
  private final Executor executor;
  private final ConcurrentLinkedQueue<Runnable> back = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean coming = new AtomicBoolean();
  private List<RequestBatch> reads = new ArrayList<>();
  private List<RequestBatch> writes = new ArrayList<>();
  private boolean leaving;

  public LoopQueue(EventExecutor loop, Executor executor) {
    this.loop = loop;
    this.executor = executor;
  }

  /** Only on the event loop, like {@link #write}. */
  void read(RequestBatch batch) {
    reads.add(batch);
    if (reads.size() == executor.maxReads()) { // these are executed while more arrives
      handOverReads();
    } else {
      leave();
    }
  }

  void write(RequestBatch batch) {
    writes.add(batch);
    if (writes.size() == executor.maxWrites()) {
      handOverWrites();
    } else {
      leave();
    }
  }

  private void leave() {
    if (!leaving) {
      leaving = true;
      loop.execute(this::handOver); // after what other connections have already received
    }
  }

  private void handOver() {
    leaving = false;
    handOverWrites();
    handOverReads();
  }

  private void handOverWrites() {
    if (!writes.isEmpty()) {
      executor.write(writes);
      writes = new ArrayList<>();
    }
  }

  private void handOverReads() {
    if (!reads.isEmpty()) {
      executor.read(reads);
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
      loop.execute(this::comeBack);
    }
  }

  private void comeBack() {
    coming.set(false);
    for (Runnable task = back.poll(); task != null; task = back.poll()) {
      task.run();
    }
  }
}

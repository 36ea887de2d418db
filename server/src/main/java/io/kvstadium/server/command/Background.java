package io.kvstadium.server.command;

import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What no request waits for: timers, and long tasks on the threads that read. */
public final class Background implements AutoCloseable {
  private final Executor executor;
  private final Consumer<RuntimeException> reporter;

  /** Has no thread until there is something to wait for. */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().name("stadium-timer").daemon().factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the end comes anyway

  /**
   * Starts without tasks.
   *
   * @param reporter receives the failures of tasks
   */
  public Background(Executor executor, Consumer<RuntimeException> reporter) {
    this.executor = executor;
    this.reporter = reporter;
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Runs a short task after a time. */
  public Future<?> after(long millis, Runnable task) {
    return timer.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  /** Runs a task that nobody waits for, concurrently with the requests. */
  public void run(Runnable task) {
    executor.read(
        new Chore() {
          @Override
          public void execute(CommitGroup commitGroup) {
            try {
              task.run();
            } catch (RuntimeException e) { // must not fail what others read
              reporter.accept(e);
            }
          }

          @Override
          public boolean isLong() {
            return true;
          }
        });
  }

  /** Discards what has not begun. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}

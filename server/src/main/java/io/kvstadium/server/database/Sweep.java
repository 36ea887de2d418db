package io.kvstadium.server.database;

import io.kvstadium.server.command.Redis;
import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Removes what is due and what removed collections left, in the background: a little at a time, and
 * while there are requests for at most a quarter of the time, so that they do not wait for it.
 */
public final class Sweep implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;

  /** How many nanoseconds a portion takes, or as long as the last commit did. */
  private static final long PORTION = 200_000;

  private static final long LONGEST = 10_000_000;

  private final Executor executor;
  private final Redis redis;
  private final Consumer<RuntimeException> reporter;
  private volatile String told = "";
  private final AtomicBoolean pending = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().name("stadium-sweep").daemon().factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the end comes anyway

  public Sweep(Redis redis, Executor executor, Consumer<RuntimeException> reporter) {
    this.redis = redis;
    this.reporter = reporter;
    this.executor = executor;
    var _ =
        timer.scheduleWithFixedDelay(
            this::request, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Reports a failure once, since it is retried again and again. */
  private void tell(RuntimeException failure) {
    if (!String.valueOf(failure.getMessage()).equals(told)) {
      told = String.valueOf(failure.getMessage());
      reporter.accept(failure);
    }
  }

  private void request() {
    redis.statistics().sample(redis.executed());
    if (!redis.pause().active() && !pending.getAndSet(true)) {
      executor.write(new Portion());
    }
  }

  private final class Portion implements Chore {
    private long portion = PORTION;
    private long begun;
    private long executed;
    private long seen;
    private boolean more;

    @Override
    public void execute(CommitGroup commitGroup) {
      begun = System.nanoTime();
      more = false;
      Databases.View view = redis.view(commitGroup);
      view.savepoint();
      try {
        for (int i = 0; i < Databases.COUNT; i++) {
          if (redis.databases().present(i) != null) {
            Keyspace keys = view.stored(i);
            long before = keys.swept();
            more |= keys.sweep(begun + portion);
            redis.statistics().expired(keys.swept() - before);
          }
        }
        redis.listeners().removed(view);
        more |= redis.shrink(view);
        redis.databases().blockedClients().serve(view); // those who wait for what has expired
      } catch (RuntimeException e) { // such as a damaged entry: must not fail what others write
        view.rollback();
        more = false;
        tell(e);
      }
      executed = System.nanoTime();
    }

    @Override
    public void done() {
      for (int i = 0; i < Databases.COUNT; i++) {
        Database database = redis.databases().present(i);
        if (database != null) {
          database.committed(System.nanoTime() - executed);
        }
      }
      if (more) {
        long end = System.nanoTime();
        portion = Math.clamp(end - executed, PORTION, LONGEST);
        long requests = redis.executed();
        long pause = requests == seen ? 0 : 3 * (end - begun);
        seen = requests;
        var _ = timer.schedule(() -> executor.write(this), pause, TimeUnit.NANOSECONDS);
      } else {
        pending.set(false);
      }
    }

    @Override
    public void failed(RuntimeException cause) {
      tell(cause);
      pending.set(false); // retried after the pause
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}

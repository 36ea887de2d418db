package io.kvstadium.server.redis;

import io.kvstadium.server.round.Round;
import io.kvstadium.server.round.Rounds;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Removes what is due and what removed collections left, in the background: a little at a time, so
 * that requests do not wait for it.
 */
final class Sweep implements AutoCloseable {
  private static final int PORTION = 500;
  private static final long PAUSE_MILLIS = 100;

  private final Rounds rounds;
  private final Redis redis;
  private final Consumer<RuntimeException> reporter;
  private volatile String told = "";
  private final AtomicBoolean pending = new AtomicBoolean();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("stadium-sweep").daemon().factory());

  Sweep(Redis redis, Rounds rounds, Consumer<RuntimeException> reporter) {
    this.redis = redis;
    this.reporter = reporter;
    this.rounds = rounds;
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
      rounds.write(new Portion());
    }
  }

  private final class Portion implements Chore {
    private boolean more;

    @Override
    public void execute(Round round) {
      more = false;
      Databases.View view = redis.view(round);
      view.savepoint();
      try {
        for (int i = 0; i < Databases.COUNT; i++) {
          if (redis.databases().present(i) != null) {
            Keyspace keys = view.stored(i);
            long before = keys.swept();
            more |= keys.sweep(PORTION);
            redis.statistics().expired(keys.swept() - before);
          }
        }
        redis.listeners().expired(view);
      } catch (RuntimeException e) { // such as a damaged entry: must not fail what others write
        view.rollback();
        more = false;
        tell(e);
      }
    }

    @Override
    public void done() {
      if (more) {
        rounds.write(this);
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

package io.kvstadium.server.command;

import io.kvstadium.server.database.Database;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

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
  private final ServerContext server;
  private volatile String reported = "";
  private final AtomicBoolean pending = new AtomicBoolean();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().name("stadium-sweep").daemon().factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the end comes anyway

  public Sweep(ServerContext server) {
    this.server = server;
    this.executor = server.executor();
    var _ =
        timer.scheduleWithFixedDelay(
            this::request, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Reports a failure once, since it is retried again and again. */
  private void tell(RuntimeException failure) {
    if (!String.valueOf(failure.getMessage()).equals(reported)) {
      reported = String.valueOf(failure.getMessage());
      server.report(failure);
    }
  }

  private void request() {
    server.statistics().sample(server.statistics().executed());
    if (!server.clients().pause().active() && !pending.getAndSet(true)) {
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
      Databases.View view = server.view(commitGroup);
      view.savepoint();
      try {
        for (int i = 0; i < Databases.COUNT; i++) {
          if (server.databases().present(i) != null) {
            Keyspace keys = view.stored(i);
            long before = keys.swept();
            more |= keys.sweep(begun + portion);
            server.statistics().expired(keys.swept() - before);
          }
        }
        server.listeners().removed(view);
        more |= server.sizeLimit().shrink(view);
        server.blockedClients().serve(view); // those who wait for what has expired
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
        Database database = server.databases().present(i);
        if (database != null) {
          database.committed(System.nanoTime() - executed);
        }
      }
      if (more) {
        long end = System.nanoTime();
        portion = Math.clamp(end - executed, PORTION, LONGEST);
        long requests = server.statistics().executed();
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

package io.kvstadium.store.engine.help;

import io.kvstadium.store.StadiumException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store's connections to a server, over blocking sockets. There are two equal shares: for calls,
 * and for what holds a connection longer, so that calls go on beside snapshots. Who finds none free
 * waits in order, for a bounded time. A connection that was idle for a moment, or since before
 * another one failed, is tested before it is used again. Calls of virtual threads are made by
 * threads that nobody interrupts, because interrupting a virtual thread closes the socket that it
 * is waiting for.
 *
 * @param <C> a connection
 * @param <E> the exception that it throws
 */
public final class ConnectionPool<C, E extends Exception> implements AutoCloseable {
  /** How long to wait for a free connection, where nobody says otherwise. */
  public static final Duration USUAL_WAIT = Duration.ofSeconds(30);

  private static final long TRUSTED_NANOS = 500_000_000;

  private final String place;
  private final Duration patience;
  private final Kind<C, E> kind;
  private final Semaphore calls;
  private final Semaphore holds;
  private final ConcurrentLinkedDeque<Idle<C>> idle = new ConcurrentLinkedDeque<>();
  private final OwnThread elsewhere;
  private volatile long failedAt = System.nanoTime() - TRUSTED_NANOS;

  private record Idle<C>(C connection, long since) {}

  /**
   * What is pooled.
   *
   * @param <C> a connection
   * @param <E> the exception that it throws
   */
  public interface Kind<C, E extends Exception> {
    /** Opens a new connection. */
    C connect() throws E;

    /** Whether a connection can still be used after what was done with it. */
    boolean isUsable(C connection);

    /** Whether the server is still at the other end: asks it. */
    boolean answers(C connection);

    /** Closes a connection; does not throw. */
    void close(C connection);
  }

  /**
   * A conversation with the server.
   *
   * @param <X> the exception that it throws
   */
  @FunctionalInterface
  public interface Call<C, R extends @Nullable Object, X extends Exception> {
    R on(C connection) throws X;
  }

  /**
   * @param engine its name, which is also that of the threads that stand in for virtual ones
   * @param place the server, for messages
   * @param max the size of each share
   * @param patience how long to wait for a free connection
   */
  public ConnectionPool(String engine, String place, int max, Duration patience, Kind<C, E> kind) {
    this.place = "engine " + engine + ", " + place;
    this.patience = patience;
    this.kind = kind;
    this.calls = new Semaphore(max, true);
    this.holds = new Semaphore(max, true);
    this.elsewhere = OwnThread.asMany(engine);
  }

  /**
   * Makes a call on its own connection.
   *
   * @throws StadiumException if none was free in time
   */
  public <R extends @Nullable Object> R call(Call<C, R, E> call) throws E {
    await(calls, "close cursors, or raise connections");
    try {
      return undisturbed(() -> {
        C connection = take();
        boolean good = false;
        try {
          R result = call.on(connection);
          good = true;
          return result;
        } finally {
          give(connection, good);
        }
      });
    } finally {
      calls.release();
    }
  }

  /** In the thread of the caller, so that who waits needs no thread to stand in for it. */
  private void await(Semaphore free, String advice) {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            return;
          }
          throw new StadiumException(
              "%s: none of its connections was free for %d s: %s"
                  .formatted(place, patience.toSeconds(), advice));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs what uses a connection that is {@link #hold held}. */
  public <R extends @Nullable Object> R undisturbed(OwnThread.Section<R, E> section) throws E {
    return Thread.currentThread().isVirtual() ? elsewhere.call(section) : section.run();
  }

  /**
   * Takes a connection for longer than a call.
   *
   * @param begin what is done with it first
   * @return what {@code begin} returned; if that throws, the connection is given back
   * @throws StadiumException if none was free in time
   */
  public <R extends @Nullable Object> R hold(Call<C, R, E> begin) throws E {
    await(holds, "close snapshots and scans, end transactions, or raise connections");
    boolean good = false;
    try {
      R result =
          undisturbed(() -> {
            C connection = take();
            boolean begun = false;
            try {
              R first = begin.on(connection);
              begun = true;
              return first;
            } finally {
              if (!begun) {
                give(connection, false);
              }
            }
          });
      good = true;
      return result;
    } finally {
      if (!good) {
        holds.release();
      }
    }
  }

  /** Returns a connection that was held, or closes it if it cannot be used again. */
  public void release(C connection) {
    give(connection, true);
    holds.release();
  }

  private C take() throws E {
    while (true) {
      Idle<C> latest = idle.poll();
      if (latest == null) {
        return kind.connect();
      }
      C connection = latest.connection();
      boolean trusted =
          System.nanoTime() - latest.since() < TRUSTED_NANOS && latest.since() - failedAt > 0;
      if (trusted || kind.answers(connection)) {
        return connection;
      }
      kind.close(connection);
    }
  }

  private void give(C connection, boolean good) {
    boolean usable = kind.isUsable(connection);
    if (!good || !usable) {
      failedAt = System.nanoTime(); // which is after the idle ones were given back
    }
    if (usable) {
      idle.push(new Idle<>(connection, good ? System.nanoTime() : failedAt));
    } else {
      kind.close(connection);
    }
  }

  /** Closes the connections that were given back; no call is in progress. */
  @Override
  public void close() {
    for (Idle<C> each = idle.poll(); each != null; each = idle.poll()) {
      kind.close(each.connection());
    }
    elsewhere.close();
  }
}

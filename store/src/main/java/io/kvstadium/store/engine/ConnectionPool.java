package io.kvstadium.store.engine;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A store's connections to a server, over blocking sockets. A connection that was idle for a moment
 * is tested before it is used again. Calls of virtual threads are made by threads that nobody
 * interrupts, because interrupting a virtual thread closes the socket that it is waiting for.
 *
 * @param <C> a connection
 * @param <E> the exception that it throws
 */
public final class ConnectionPool<C, E extends Exception> implements AutoCloseable {
  private static final long TRUSTED_NANOS = 500_000_000;

  private final Kind<C, E> kind;
  private final Semaphore free;
  private final ConcurrentLinkedDeque<Idle<C>> idle = new ConcurrentLinkedDeque<>();
  private final OwnThread elsewhere;

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
   * @param name the name of the threads that stand in for virtual ones
   * @param max the maximum number of concurrent calls; more wait, in order
   */
  public ConnectionPool(String name, int max, Kind<C, E> kind) {
    this.kind = kind;
    this.free = new Semaphore(max, true);
    this.elsewhere = OwnThread.asMany(name);
  }

  /** Makes a call on its own connection. */
  public <R extends @Nullable Object> R call(Call<C, R, E> call) throws E {
    free.acquireUninterruptibly(); // here, so that who waits needs no thread to stand in for it
    try {
      return undisturbed(() -> {
        C connection = take();
        try {
          return call.on(connection);
        } finally {
          give(connection);
        }
      });
    } finally {
      free.release();
    }
  }

  /** Runs what uses a connection that was {@link #take taken}. */
  public <R extends @Nullable Object> R undisturbed(OwnThread.Section<R, E> section) throws E {
    return Thread.currentThread().isVirtual() ? elsewhere.call(section) : section.run();
  }

  /** Takes a connection for longer than a call; it must be given back. Does not wait for others. */
  public C take() throws E {
    while (true) {
      Idle<C> latest = idle.poll();
      if (latest == null) {
        return kind.connect();
      }
      C connection = latest.connection();
      if (System.nanoTime() - latest.since() < TRUSTED_NANOS || kind.answers(connection)) {
        return connection;
      }
      kind.close(connection);
    }
  }

  /** Returns a connection to the pool, or closes it if it cannot be used again. */
  public void give(C connection) {
    if (kind.isUsable(connection)) {
      idle.push(new Idle<>(connection, System.nanoTime()));
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

package io.kvstadium.store.engine.help;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A platform thread that nobody interrupts, created when it is first needed: for work that an
 * interrupt of the calling thread must not break off halfway, or that has to be started and ended
 * by the same thread of the operating system. The caller waits for the end, whatever happens to it
 * meanwhile, and an interrupt of the caller shows afterwards. Runs one section at a time, unless it
 * is {@link #asMany}; thread-safe.
 */
public final class OwnThread implements AutoCloseable {
  private final ThreadFactory factory;
  private final Function<ThreadFactory, ExecutorService> executors;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private @Nullable ExecutorService executor;

  /**
   * @param name the thread's name
   */
  public OwnThread(String name) {
    this(name, Executors::newSingleThreadExecutor);
  }

  private OwnThread(String name, Function<ThreadFactory, ExecutorService> executors) {
    this.factory = Thread.ofPlatform().daemon().name(name).factory();
    this.executors = executors;
  }

  /** Returns one with as many threads as there are concurrent sections. */
  public static OwnThread asMany(String name) {
    return new OwnThread(name, Executors::newCachedThreadPool);
  }

  /**
   * What is done on the thread.
   *
   * @param <E> the exception that it throws
   */
  @FunctionalInterface
  public interface Section<R extends @Nullable Object, E extends Exception> {
    R run() throws E;
  }

  /** A section without a result. */
  @FunctionalInterface
  public interface Action<E extends Exception> {
    void run() throws E;
  }

  /**
   * Runs a section on the thread and returns its result, or throws what it throws. A section may
   * run others.
   */
  @SuppressWarnings("unchecked") // a section throws no other exceptions
  public <R extends @Nullable Object, E extends Exception> R call(Section<R, E> section) throws E {
    if (threads.contains(Thread.currentThread())) {
      return section.run();
    }
    Future<R> future = executor().submit(section::run);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true; // what was started must be finished before anybody may continue
        } catch (ExecutionException e) {
          throw (E) thrownIn(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The same for a section without a result. */
  public <E extends Exception> void run(Action<E> section) throws E {
    this.<Boolean, E>call(() -> {
      section.run();
      return true;
    });
  }

  /** Runs a section on a thread that ends with it. */
  public static <R extends @Nullable Object, E extends Exception> R once(
      String name, Section<R, E> section) throws E {
    try (OwnThread thread = new OwnThread(name)) {
      return thread.call(section);
    }
  }

  /** Ends the thread; no section is under way. */
  @Override
  public synchronized void close() {
    if (executor != null) {
      executor.close();
      executor = null;
    }
  }

  private synchronized ExecutorService executor() {
    ExecutorService present = executor;
    if (present == null) {
      present = executors.apply(work -> factory.newThread(() -> runNoted(work)));
      executor = present;
    }
    return present;
  }

  private void runNoted(Runnable work) {
    threads.add(Thread.currentThread());
    try {
      work.run();
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  private static Exception thrownIn(ExecutionException e) {
    return switch (e.getCause()) {
      case Exception thrown -> thrown;
      case Error error -> throw error;
      case null, default -> throw new IllegalStateException(e);
    };
  }
}

package io.kvstadium.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs parts of tests on other threads; what they throw reaches the caller. */
final class TestThreads {
  private static final long LONGEST_SECONDS = 60;

  /** A part of a test. */
  @FunctionalInterface
  interface Job {
    void run(int member) throws Exception;
  }

  private TestThreads() {}

  /** Starts {@code members} threads at once and returns them in progress. */
  static List<FutureTask<Void>> start(int members, Job job) {
    CountDownLatch ready = new CountDownLatch(members);
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      int member = i;
      FutureTask<Void> task =
          new FutureTask<>(() -> {
            ready.countDown();
            ready.await();
            job.run(member);
            return null;
          });
      tasks.add(task);
      Thread.ofPlatform().daemon().name("test-" + i).start(task);
    }
    return tasks;
  }

  /** Runs a job on several threads and waits for all of them. */
  static void run(int members, Job job) {
    joinAll(start(members, job));
  }

  /** Calls on another thread and waits for the result. */
  static <R> R elsewhere(Callable<R> call) {
    FutureTask<R> task = new FutureTask<>(call);
    Thread.ofPlatform().daemon().name("test-elsewhere").start(task);
    return join(task);
  }

  /** Runs on another thread and waits for its end. */
  static void doElsewhere(Runnable work) {
    elsewhere(() -> {
      work.run();
      return 0;
    });
  }

  /** Waits for all; throws the first failure in their order, with the others suppressed. */
  @SuppressWarnings("ReferenceEquality") // no exception suppresses itself
  static void joinAll(List<? extends FutureTask<?>> tasks) {
    List<Throwable> failures = new ArrayList<>();
    for (FutureTask<?> task : tasks) {
      try {
        join(task);
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      Throwable first = failures.removeFirst();
      failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
      if (first instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) first;
    }
  }

  static <R> R join(FutureTask<R> task) {
    try {
      return task.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException exception -> throw exception;
        case Error error -> throw error;
        case null, default -> throw new AssertionError("a thread of the test failed", e);
      }
    } catch (TimeoutException e) {
      throw new AssertionError("a thread of the test did not end in " + LONGEST_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}

package io.kvstadium.bench.measure;

import io.kvstadium.bench.result.TrialFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Threads that begin together; some of them decide when all end. */
public final class WorkerThreads {
  private final String phase;
  private final List<Runnable> main = new ArrayList<>();
  private final List<Runnable> background = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  /**
   * @param phase for names and messages
   */
  WorkerThreads(String phase) {
    this.phase = phase;
  }

  /**
   * @param leads whether the others only run as long as this and other leading ones do
   */
  void add(boolean leads, Runnable work) {
    (leads ? main : background).add(work);
  }

  /**
   * Runs all to their end.
   *
   * @param ready is called once, when all threads are there and before any of them works
   * @param mainEnded is called when those that lead have ended, in any way
   * @throws TrialFailure if one failed
   */
  void run(Runnable ready, Runnable mainEnded) {
    CyclicBarrier start = new CyclicBarrier(main.size() + background.size(), ready);
    List<Thread> leading = start(main, start);
    List<Thread> following = start(background, start);
    try {
      for (Thread thread : leading) {
        thread.join();
      }
      mainEnded.run();
      for (Thread thread : following) {
        thread.join();
      }
    } catch (InterruptedException e) {
      mainEnded.run();
      Thread.currentThread().interrupt();
      throw new TrialFailure("interrupted in phase " + phase, e);
    }
    if (!failures.isEmpty()) {
      Throwable first = failures.getFirst();
      if (first instanceof OutOfMemoryError memory) {
        throw memory; // there is advice on it where it is caught
      }
      throw new TrialFailure("phase " + phase + ": " + first, first);
    }
  }

  private List<Thread> start(List<Runnable> works, CyclicBarrier start) {
    List<Thread> threads = new ArrayList<>();
    for (Runnable work : works) {
      threads.add(
          Thread.ofPlatform()
              .name(phase + " " + threads.size())
              .start(() -> {
                try {
                  start.await();
                  work.run();
                } catch (RuntimeException
                    | Error
                    | InterruptedException
                    | BrokenBarrierException e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              }));
    }
    return threads;
  }
}

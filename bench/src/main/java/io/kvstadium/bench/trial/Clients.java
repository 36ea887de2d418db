package io.kvstadium.bench.trial;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The client processes of a trial as one of them sees them: they share the lanes of each phase,
 * begin together, and tell one another what they wrote. The parent brings them together.
 */
final class Clients {
  /** A trial of one process. */
  static final Clients ALONE = new Clients(0, 1, _ -> {});

  private static final long SIGN_OF_LIFE_SECONDS = 1;

  private final int number;
  private final int count;
  private final Consumer<Message> parent;
  private final BlockingQueue<List<String>> replies = new LinkedBlockingQueue<>();

  /**
   * @param number from 0
   */
  Clients(int number, int count, Consumer<Message> parent) {
    this.number = number;
    this.count = count;
    this.parent = parent;
  }

  int count() {
    return count;
  }

  boolean areSeveral() {
    return count > 1;
  }

  /** Returns whether this is the client that creates and removes the store. */
  boolean isFirst() {
    return number == 0;
  }

  /** Returns this client's share of a number. */
  long share(long of) {
    return of / count + (number < of % count ? 1 : 0);
  }

  /** Returns whether a position in what all go through, counted from 0, belongs to this client. */
  boolean owns(long position) {
    return position % count == number;
  }

  /** Returns the number of lanes of a phase: each client has as many as it has threads. */
  int lanes(int threads) {
    return threads * count;
  }

  /** Returns the lane of one of this client's threads. */
  int lane(int thread, int threads) {
    return number * threads + thread;
  }

  /** Takes the parent's answer from the thread that listens to it; an empty list ends the trial. */
  void answer(List<String> said) {
    replies.add(said);
  }

  /**
   * Waits until all clients are there.
   *
   * @param step where
   * @param said what the others must know
   * @param ranNanos how long the phase took that has just ended, or -1
   * @return what each said, in order
   * @throws TrialFailure if another one failed
   */
  List<String> meet(String step, String said, long ranNanos) {
    List<String> all = count == 1 ? List.of(said) : ask(new Message.Arrived(step, said, ranNanos));
    if (all.isEmpty()) {
      throw new TrialFailure("another client failed", null);
    }
    return all;
  }

  private List<String> ask(Message.Arrived arrived) {
    parent.accept(arrived);
    try {
      @Nullable List<String> all = replies.poll(SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS);
      while (all == null) {
        parent.accept(new Message.Working()); // waiting is not hanging
        all = replies.poll(SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS);
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrialFailure("interrupted at " + arrived.step(), e);
    }
  }

  /** Called after a failure, with the store closed: returns when no other client uses it either. */
  void failed(String why) {
    if (count > 1) {
      List<String> _ = ask(new Message.Arrived(Message.Arrived.FAILED, why, -1));
    }
  }

  void meet(String step) {
    meet(step, "", -1);
  }

  /**
   * Returns in all clients at about the same time, and tells the parent that it has begun.
   *
   * @return when, on the clock of {@link System#nanoTime}
   */
  long begin(String phase) {
    if (count > 1) {
      meet("begin " + phase);
    }
    long now = System.nanoTime();
    if (count > 1) {
      parent.accept(new Message.Begun(phase, now));
    }
    return now;
  }

  /** Runs in one client after the other. */
  void inTurn(String step, Runnable work) {
    for (int turn = 0; turn < count; turn++) {
      if (turn == number) {
        work.run();
      }
      if (count > 1) {
        meet(step + " of client " + (turn + 1));
      }
    }
  }

  /** Returns something that only the first client can make, and the others find. */
  <T> T firstThenOthers(String step, Supplier<T> first, Supplier<T> others) {
    if (isFirst()) {
      T made = first.get();
      meet(step);
      return made;
    }
    meet(step);
    return others.get();
  }
}

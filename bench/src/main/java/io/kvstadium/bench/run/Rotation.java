package io.kvstadium.bench.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Lets trials that live at the same time work one after the other, in short turns: what disturbs
 * the machine for a while then meets all of them. Who is behind in the order of the parts is first,
 * then who has had the fewest turns in the same part; among equals chance decides. So each sweep
 * over those in the same part is in an order of its own, and all are in the same part.
 *
 * <p>Safe for all threads: each trial has its own.
 */
final class Rotation {
  private final Map<String, Integer> parts = new HashMap<>();
  private final Random random;
  private final List<Member> waiting = new ArrayList<>();
  private int members;
  private @Nullable Member working;

  /**
   * @param members how many there are; none works before all of them wait
   * @param parts of a trial, in their order; what is not named belongs to the part before
   * @param seed of the order
   */
  Rotation(int members, List<String> parts, long seed) {
    this.members = members;
    this.random = new Random(seed);
    for (String each : parts) {
      this.parts.putIfAbsent(each, this.parts.size());
    }
  }

  /** A trial. */
  final class Member implements AutoCloseable {
    private final int number;
    private int part = -1;
    private int turns;

    /**
     * @param number among all
     */
    Member(int number) {
      this.number = number;
    }

    /** Ends its turn, if it has one, and waits for the next. */
    void await(String name) {
      synchronized (Rotation.this) {
        int next = parts.getOrDefault(name, part);
        turns = next == part ? turns + 1 : 0;
        part = next;
        ended(this);
        waiting.add(this);
        choose();
        awaitTurn(this);
      }
    }

    /** It takes no more part. */
    @Override
    public void close() {
      synchronized (Rotation.this) {
        members--;
        ended(this);
        choose();
      }
    }
  }

  private void awaitTurn(Member member) {
    try {
      while (working != member) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a trial", e);
    }
  }

  private void ended(Member member) {
    if (working == member) {
      working = null;
    }
  }

  private void choose() {
    if (working != null || waiting.isEmpty() || waiting.size() < members) {
      return;
    }
    waiting.sort(Comparator.comparingInt(each -> each.number)); // not in the order of their arrival
    Collections.shuffle(waiting, random);
    Member next =
        Collections.min(
            waiting,
            Comparator.comparingInt((Member each) -> each.part)
                .thenComparingInt(each -> each.turns));
    waiting.remove(next);
    working = next;
    notifyAll();
  }
}

package io.kvstadium.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Randomness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Careless programs: several threads use one store and its handles at random, close them early,
 * late, twice or for each other, forget them, interrupt each other, and call from inside blocks and
 * readers what is refused there. They get correct answers and the documented exceptions, nobody
 * waits forever, and the engine is called as it was promised.
 *
 * <p>The same seed gives each thread the same steps; how they interleave is up to the machine. A
 * multiplier of 2500 makes it a search for defects.
 */
class StressTest extends LibraryTest {
  private static final int STEPS = 20_000;
  private static final int THREADS = 6;

  /** How many times as many steps there are at most. */
  private static final int MOST = 50;

  /** A step that takes longer hangs. */
  private static final Duration LONGEST_STEP = Duration.ofSeconds(60);

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong checks = new AtomicLong();
  private final AtomicReference<@Nullable AssertionError> failure = new AtomicReference<>();
  private final LeakedHandles leaked = new LeakedHandles();
  private final SharedStore shared = new SharedStore(this::open);
  private final List<StressActor> actors = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final int steps = Randomness.times(STEPS);

  SharedStore shared() {
    return shared;
  }

  LeakedHandles leaked() {
    return leaked;
  }

  /**
   * Whether there is another step to take. How many answers can be checked is up to the machine:
   * there are more steps until they are enough.
   */
  boolean goesOn() {
    long step = begun.getAndIncrement();
    return failure.get() == null
        && (step < steps || (step < (long) MOST * steps && !checkedEnough()));
  }

  private boolean checkedEnough() {
    return checks.get() > steps / 100;
  }

  void fail(String when, Throwable what) {
    failure.compareAndSet(null, new AssertionError(when + ": " + what, what));
  }

  void countCheck() {
    checks.incrementAndGet();
  }

  void interruptOne(SplittableRandom random) {
    threads.get(random.nextInt(threads.size())).interrupt();
  }

  @ParameterizedTest(name = "virtual threads: {0}")
  @ValueSource(booleans = {false, true})
  @Timeout(value = 2, unit = TimeUnit.DAYS)
  void carelessProgramsGetRightAnswers(boolean virtual) throws InterruptedException {
    long seed = Randomness.seed("carelessProgramsGetRightAnswers");
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < THREADS; i++) {
      StressActor actor = new StressActor(this, i, random.split());
      actors.add(actor);
      Thread.Builder kind = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
      threads.add(kind.name("actor-" + i).unstarted(actor));
    }

    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      awaitEnd(thread);
    }

    AssertionError first = failure.get();
    if (first != null) {
      throw new AssertionError("seed " + seed + ", " + first.getMessage(), first);
    }
    shared.reopen(random);
    actors.forEach(actor -> actor.checkAtTheEnd(shared.get()));
    assertThat(checkedEnough()).as("%s answers could be checked", checks).isTrue();
  }

  private void awaitEnd(Thread thread) throws InterruptedException {
    while (failure.get() == null && !thread.join(Duration.ofMillis(100))) {
      if (actors.stream().anyMatch(each -> each.isInStepFor(LONGEST_STEP))) {
        fail("it hangs", new AssertionError(stacks()));
      }
    }
  }

  private String stacks() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < threads.size(); i++) {
      text.append("\n%s, %s".formatted(threads.get(i).getName(), actors.get(i)));
      for (StackTraceElement line : threads.get(i).getStackTrace()) {
        text.append("\n    at ").append(line);
      }
    }
    return text.toString();
  }
}

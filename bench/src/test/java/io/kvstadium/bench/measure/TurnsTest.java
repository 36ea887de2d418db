package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class TurnsTest {
  private static final long PAUSE = 100_000_000;

  private final AtomicLong calls = new AtomicLong();
  private final List<String> parts = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> meanwhile = Collections.synchronizedList(new ArrayList<>());

  /** Asks for a turn as a trial does, and looks whether anybody works until it comes. */
  private void ask(String part) {
    parts.add(part);
    long before = calls.get();
    LockSupport.parkNanos(PAUSE);
    meanwhile.add(calls.get() - before);
  }

  private final class Counting extends MapTarget {
    @Override
    public byte[] get(byte[] key) {
      calls.incrementAndGet();
      return super.get(key);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "2, 1"})
  void noThreadWorksWithoutATurnAndPausesAreNoTimeOfThePhase(int threads, int background) {
    Bench bench = Bench.loaded(1_000, new Counting());
    PhaseSpec reads = Bench.phase(Operation.GET, 0, "uniform").sized(0, 0.4).withThreads(threads);
    PhaseSpec spec = background == 0 ? reads : reads.withBackground(reads.withThreads(background));
    Turns turns = Turns.of(this::ask);
    turns.begin("get");

    long begin = System.nanoTime();
    PhaseResult result =
        new PhaseRun(
                spec, bench.workset, bench.population, Bench.SEED, 1, new TrialTotals(), _ -> {})
            .run(bench.target, turns)
            .getFirst();
    long all = System.nanoTime() - begin;

    assertThat(parts).hasSizeGreaterThan(2).containsOnly("get");
    assertThat(meanwhile).containsOnly(0L);
    long paused = (parts.size() - 1) * PAUSE;
    assertThat(result.cost().elapsedNanos()).isLessThanOrEqualTo(all - paused);
    assertThat(result.timeline().operations().size() * result.timeline().intervalNanos())
        .isLessThanOrEqualTo(all - paused + result.timeline().intervalNanos());
  }

  @Test
  void aBlockBeginsWhenAllThreadsHaveMadeTheirs() throws InterruptedException {
    Turns.Crew crew = Turns.NONE.crew(2, true, _ -> {});
    AtomicBoolean secondMade = new AtomicBoolean();
    AtomicBoolean firstBeganAfterIt = new AtomicBoolean();
    Thread first =
        Thread.ofPlatform()
            .start(() -> {
              crew.blockMade(new Meter(List.of(), 0));
              firstBeganAfterIt.set(secondMade.get());
            });
    while (first.getState() != Thread.State.WAITING && first.isAlive()) {
      Thread.onSpinWait();
    }

    secondMade.set(true);
    crew.blockMade(new Meter(List.of(), 0));
    first.join();

    assertThat(firstBeganAfterIt).isTrue();
  }

  /** And not, for each thread, until its own part of it ended. */
  @Test
  void whatABlockTakesIsUntilItsLastThreadHasEnded() throws InterruptedException {
    long unit = 1_000_000_000_000L;
    Turns.Crew crew = Turns.NONE.crew(2, true, _ -> {});
    together(crew, 1, () -> {});
    long begun = System.nanoTime();

    crew.blockRan(begun + unit);
    crew.blockRan(begun + 3 * unit);
    together(crew, 1, () -> {});
    long afterOne = crew.worked();
    crew.blockRan(begun + 4 * unit);
    together(crew, 0, crew::leave);

    assertThat(afterOne).isBetween(3 * unit, 4 * unit);
    assertThat(crew.worked()).isBetween(6 * unit, 8 * unit);
  }

  /** Lets two threads make blocks, and then do something. */
  private static void together(Turns.Crew crew, int blocks, Runnable then)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int block = 0; block < blocks; block++) {
                  crew.blockMade(new Meter(List.of(), 0));
                }
                then.run();
              }));
    }
    for (Thread each : threads) {
      each.join();
    }
  }
}

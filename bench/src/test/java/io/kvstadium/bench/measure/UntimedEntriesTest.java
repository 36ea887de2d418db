package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Entry;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UntimedEntriesTest {
  private static final long WORK = 20_000_000;

  /** Keys and values are made in the middle of a bulk load, whose processor time they are not. */
  @Test
  void theProcessorTimeOfMakingIsNotThatOfTaking() {
    // given entries that cost their maker as much as their taker
    long began = Meter.threadNanos();
    UntimedEntries entries =
        new UntimedEntries(
            IntStream.range(0, 3)
                .mapToObj(_ -> {
                  work();
                  return new Entry<>(new byte[4], new byte[10]);
                })
                .iterator(),
            3,
            _ -> {});

    entries.forEachRemaining(_ -> work());

    long all = Meter.threadNanos() - began;
    assertThat(entries.makingCpuNanos()).isBetween(3 * WORK, all - 3 * WORK);
    assertThat(entries.count()).isEqualTo(3);
  }

  @Test
  void whatTheHarnessUsedIsTakenOffThePhase() {
    Meter meter = new Meter(List.of(), 0);
    meter.add(10, 100);
    meter.harness(400);

    PhaseResult result =
        Meter.phase(
            PhaseSpec.of("load", Operation.LOAD),
            List.of(meter),
            100,
            1,
            new Usage(1_000, 0, -1, -1, 2_000),
            null);

    assertThat(result.cost().cpuNanos()).isEqualTo(600);
  }

  private static void work() {
    long end = Meter.threadNanos() + WORK;
    while (Meter.threadNanos() < end) {
      Thread.onSpinWait();
    }
  }
}

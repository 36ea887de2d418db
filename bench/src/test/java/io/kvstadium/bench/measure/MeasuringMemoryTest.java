package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Measuring takes little memory, and no more for more operations. */
class MeasuringMemoryTest {
  private static final long MEBIBYTE = 1 << 20;

  @Tag("full")
  @Test
  void eightThreadsMeasureInAFewMegabytes() {
    // given a store that is made up, so that all memory is the harness's
    Workset workset = DataSpec.of(10_000, "uint64", "10").workset(1);
    long operations = 800_000;
    AtomicLong asked = new AtomicLong();
    long[] atTheEnd = new long[1];
    Target madeUp =
        new MapTarget() {
          @Override
          public byte @Nullable [] get(byte[] key) {
            if (asked.incrementAndGet() == operations - 100) {
              atTheEnd[0] = used();
            }
            return workset.value(ByteBuffer.wrap(key).getLong(), 0);
          }
        };
    PhaseSpec reads = PhaseSpec.of("read", Operation.GET).sized(operations, 0).withThreads(8);

    // when
    long before = used();
    new PhaseRun(
            reads, workset, new Population(10_000, 10_000), 1, 1, new TrialTotals(), share -> {})
        .run(madeUp);

    // then
    assertThat(asked).hasValue(operations);
    assertThat((atTheEnd[0] - before) / MEBIBYTE).isLessThan(64);
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}

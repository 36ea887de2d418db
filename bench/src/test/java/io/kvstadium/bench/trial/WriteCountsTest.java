package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.measure.Bench;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteCountsTest {
  private static final int RECORDS = 20;

  @TempDir Path directory;

  /** Flushes each put. */
  private final class Flushing extends MapTarget {
    @Override
    public void put(byte[] key, byte[] value) {
      super.put(key, value);
      flush();
    }
  }

  private void flush() {
    try (FileChannel file =
        FileChannel.open(
            directory.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      file.write(ByteBuffer.wrap(new byte[1]));
      file.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aPhaseThatWritesHasTheFlushesOfItsDevice() {
    long before = DeviceIo.flushes(directory);
    flush();
    assumeThat(DeviceIo.flushes(directory)).as("the device counts").isGreaterThan(before);
    Bench bench = new Bench(RECORDS, new Flushing(), 1);
    PhaseSpec insert = Bench.phase(Operation.INSERT);
    CostRecorder costs =
        new CostRecorder(
            directory,
            bench.workset,
            bench.population,
            new TrialTotals(),
            new Settling(System::nanoTime, () -> {}),
            _ -> {});

    WriteCounts counts = new WriteCounts(insert, bench.target, directory);
    PhaseResult result = counts.ended(bench.run(insert), costs);

    assertThat(result.cost().flushes()).isGreaterThanOrEqualTo(RECORDS);
  }
}

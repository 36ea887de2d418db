package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;

class CompilerTimeTest {
  @Test
  void isAPartOfTheProcessesTime() {
    long compiled = CompilerTime.nanos();
    long all = ProcessorTime.nanos();

    // a test's own JVM has compiled for long when this runs
    assertThat(compiled).isPositive();
    assumeThat(all).isPositive();
    assertThat(compiled).isLessThan(all);
  }

  @Test
  void aThreadThatIsNotThereHasNone() { // Linux numbers them up to 2²²
    assertThat(ProcessorTime.ofThread(1 << 23)).isEqualTo(-1);
  }
}

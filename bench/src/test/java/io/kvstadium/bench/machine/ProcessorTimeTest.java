package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
  @Test
  void itGrowsWithWorkAndIsFinerThanTheKernelsTicks() {
    Set<Long> seen = new HashSet<>();
    long before = ProcessorTime.nanos();
    for (int i = 0; i < 1000; i++) {
      seen.add(ProcessorTime.nanos());
    }

    assertThat(before).isNotNegative();
    assertThat(seen).allMatch(nanos -> nanos >= before);
    if (System.getProperty("os.name").equals("Linux")) {
      assertThat(seen)
          .as("one for each look: every look takes time itself")
          .hasSizeGreaterThan(500);
    }
  }
}

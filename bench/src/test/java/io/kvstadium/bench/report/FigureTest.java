package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Interval;
import org.junit.jupiter.api.Test;

class FigureTest {
  @Test
  void anIntervalThatSaysNothingIsNotWrittenOut() {
    assertThat(new Figure(false, 1000, new Interval(0.001, 7e20)).range()).isEqualTo("not known");
    assertThat(new Figure(true, 1000, new Interval(99, 10_000)).range()).isEqualTo("not known");
    assertThat(new Figure(false, 1000, new Interval(100, 10_000)).range())
        .isEqualTo("100 /s to 10.0 k/s");
    assertThat(new Figure(false, 1000, null).range()).isEmpty();
  }
}

package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.stats.Verdict;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void aRunIsTheSameAsItself() {
    Comparison comparison = Comparison.of(FakeResults.full(), FakeResults.full());

    assertThat(comparison.anySlower()).isFalse();
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.missing()).isEmpty();
    assertThat(comparison.lines())
        .hasSize(6 * 6 + 8 * 8)
        .allMatch(line -> line.paired() && line.verdict().equals(new Verdict.Same()));
  }

  @Test
  void findsWhatBecameSlower() {
    Comparison comparison = Comparison.of(FakeResults.full(), FakeResults.slowed(1.3));

    assertThat(comparison.anySlower()).isTrue();
    assertThat(comparison.lines().stream().filter(line -> line.verdict() instanceof Verdict.Slower))
        .hasSize(2)
        .allMatch(line -> line.configuration().equals("rocksdb") && line.phase().equals("read"));
    assertThat(comparison.differences()).containsExactly("Stadium: 0.1.0 → 0.2.0");
    assertThat(Comparison.of(FakeResults.slowed(1.3), FakeResults.full()).anySlower()).isFalse();
  }

  @Test
  void saysWhatOnlyOneOfThemHas() {
    Comparison comparison =
        Comparison.of(
            FakeResults.of(FakeResults.speeds("a", "read", 1, 1)),
            FakeResults.of(FakeResults.speeds("b", "read", 1, 1)));

    assertThat(comparison.lines()).isEmpty();
    assertThat(comparison.missing())
        .containsExactly("reads, a is only in the first", "reads, b is only in the second");
    assertThat(ConsoleComparison.render(comparison, false))
        .contains("nothing in common")
        .contains("- reads, b is only in the second");
  }

  @Test
  void isLaidOutForEightyColumns() {
    String text =
        ConsoleComparison.render(Comparison.of(FakeResults.full(), FakeResults.slowed(1.3)), false);

    assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    assertThat(text).contains("Circumstances differ").contains("slower ×1.3");
  }
}

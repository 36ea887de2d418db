package io.kvstadium.bench.plan;

import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MinDurationTest {
  private static final double MINUTES = 60;
  private static final int ENGINES = 8;

  private static Plan plan(double budget, DataSpec data) {
    List<FakeEngine> engines =
        IntStream.range(0, ENGINES).mapToObj(i -> FakeEngine.able("e" + i)).toList();
    Experiment all =
        experiment(
                "one",
                List.of(phase(Operation.INSERT), phase(Operation.GET, 0, 3)),
                engines.stream()
                    .map(each -> Suites.configuration(each.info().name()))
                    .toArray(Configuration[]::new))
            .withData(data);
    Suite suite = suite(1, budget, all);
    return Suites.plan(suite, 1.8, Engines.of(List.<Engine>copyOf(engines)));
  }

  @Test
  void largeDataTakeLongerThanTheBudgetSaysAndItIsKnownBefore() {
    // given 300,000 rows of 2.2 kB, and two rounds of eight engines
    Plan plan = plan(3 * MINUTES, DataSpec.of(300_000, "uint64", "2200"));

    assertThat(MinDuration.of(plan)).isBetween(6 * MINUTES, 15 * MINUTES);
    assertThat(MinDuration.of(plan(3 * MINUTES, DataSpec.of(20_000, "uint64", "400"))))
        .isLessThan(3 * MINUTES);
  }

  @Test
  void asMuchOfTheUsersDataIsMeasuredAsFitsIntoTheBudget() {
    Plan small = plan(3 * MINUTES, MinDuration.nothing().shape());
    long bytes = 2L << 30;

    int oneOf = MinDuration.oneOf(small, bytes);

    assertThat(oneOf).isGreaterThan(1);
    assertThat(MinDuration.of(small) + MinDuration.loads(small, bytes / oneOf))
        .isLessThanOrEqualTo(3 * MINUTES);
    assertThat(MinDuration.oneOf(small, 16 << 20)).isEqualTo(1);
    assertThat(MinDuration.oneOf(plan(0, MinDuration.nothing().shape()), bytes))
        .as("without a budget all are measured")
        .isEqualTo(1);
  }
}

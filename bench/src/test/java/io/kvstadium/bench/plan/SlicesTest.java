package io.kvstadium.bench.plan;

import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SlicesTest {
  private static final long MEMORY = 16L << 30;
  private static final long DISK = 64L << 30;

  private static @Nullable String whyNot(
      UnaryOperator<Experiment> change, long memory, long disk, Configuration second) {
    Experiment all =
        experiment(
                "one",
                List.of(phase(Operation.INSERT), phase(Operation.GET, 0, 3)),
                Suites.configuration("a"),
                second)
            .withData(DataSpec.of(1_000_000, "uint64", "400"));
    return Slices.whyNot(Plan.of(suite(1, 0, change.apply(all)), 1, 1), memory, disk);
  }

  private static @Nullable String whyNot(UnaryOperator<Experiment> change) {
    return whyNot(change, MEMORY, DISK, Suites.configuration("b"));
  }

  @Test
  void trialsShareTheTimeWhereAllCanLiveAtOnceAndBeStopped() {
    assertThat(whyNot(each -> each)).isNull();

    assertThat(whyNot(each -> each.withMemory(1L << 30))).as("a limit each").isNotNull();
    assertThat(whyNot(each -> each.withPhases(List.of(phase(Operation.REPLAY))))).isNotNull();
    Configuration b = Suites.configuration("b");
    assertThat(whyNot(each -> each, 4L << 30, DISK, b)).as("little memory").isNotNull();
    assertThat(whyNot(each -> each, MEMORY, 1L << 30, b)).as("a small disk").isNotNull();
    assertThat(whyNot(each -> each, MEMORY, DISK, b.in("python"))).isNotNull();
    assertThat(whyNot(each -> each, MEMORY, DISK, Suites.configuration("postgresql"))).isNotNull();
  }
}

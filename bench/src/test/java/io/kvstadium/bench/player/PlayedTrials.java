package io.kvstadium.bench.player;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.Trial;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.bench.trial.WorksetSource;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.util.List;
import java.util.Map;

/** What trials in other languages are compared with. */
public final class PlayedTrials {
  private PlayedTrials() {}

  /** Operations of every kind; a MIXED phase adds keys. */
  public static List<PhaseSpec> phases() {
    Shape several = Specs.shape(7, "1..40");
    Shape mixed =
        several.withMix(
            Map.of(
                Operation.GET, 0.4,
                Operation.UPDATE, 0.2,
                Operation.INSERT, 0.1,
                Operation.MULTI_GET, 0.1,
                Operation.READ_MODIFY_WRITE, 0.2));
    PhaseSpec zipf =
        Specs.on(Distribution.parse("zipfian"), PhaseSpec.of("zipf", Operation.GET).sized(900, 0));
    return List.of(
        PhaseSpec.of("batches", Operation.INSERT).withBatch(50),
        PhaseSpec.of("insert", Operation.INSERT),
        PhaseSpec.of("update", Operation.UPDATE).sized(1_000, 0).withBatch(33),
        zipf,
        PhaseSpec.of("several", Operation.MULTI_GET).sized(50, 0).withShape(several),
        PhaseSpec.of("scan", Operation.SCAN).sized(300, 0).withShape(several),
        PhaseSpec.of("change", Operation.READ_MODIFY_WRITE).sized(300, 0),
        PhaseSpec.of("mixed", Operation.MIXED).sized(3_000, 0).withShape(mixed),
        PhaseSpec.of("some", Operation.DELETE).sized(100, 0),
        PhaseSpec.of("all", Operation.SCAN_ALL),
        PhaseSpec.of("delete", Operation.DELETE).sized(0, 0).withBatch(8));
  }

  /** What only players with threads have. */
  public static List<PhaseSpec> together() {
    Shape mixed =
        Shape.SINGLE.withMix(
            Map.of(Operation.GET, 0.5, Operation.UPDATE, 0.3, Operation.INSERT, 0.2));
    return List.of(
        PhaseSpec.of("load", Operation.INSERT),
        PhaseSpec.of("read", Operation.GET).sized(900, 0).withThreads(3),
        PhaseSpec.of("mixed", Operation.MIXED).sized(2_500, 0).withShape(mixed).withThreads(4),
        PhaseSpec.of("delete", Operation.DELETE).sized(0, 0).withThreads(3));
  }

  /**
   * Writes at a rate; a read beside a load of such writes, and the other way round. How many
   * operations of each there are is a matter of time.
   */
  public static List<PhaseSpec> loads() {
    PhaseSpec writes = PhaseSpec.of("writes", Operation.UPDATE);
    PhaseSpec reads = PhaseSpec.of("reads", Operation.SCAN);
    return List.of(
        PhaseSpec.of("load", Operation.INSERT),
        PhaseSpec.of("rate", Operation.UPDATE)
            .sized(301, 0)
            .withThreads(2)
            .withRate(new Rate(3_000, null)),
        PhaseSpec.of("beside writes", Operation.GET)
            .sized(0, 0.3)
            .withThreads(2)
            .withBackground(writes.withRate(new Rate(500, null))),
        PhaseSpec.of("beside scans", Operation.UPDATE)
            .sized(3_000, 0)
            .withBackground(reads.withThreads(2)),
        PhaseSpec.of("all", Operation.SCAN_ALL));
  }

  /** Phase by phase, the same operations, entries and bytes as in Java on a map. */
  public static void assertAsInJava(TrialResult played, TrialPlan plan) {
    assertThat(played.failure()).isNull();
    TrialPlan inJava =
        Plans.with(
            Plans.at(
                plan,
                new Configuration(
                    "memory", "memory", Map.of(), Durability.NONE, Access.SINGLE, "equal")),
            plan.phases().stream().filter(each -> each.operation() != Operation.OPEN_GET).toList());
    TrialResult expected =
        new Trial(inJava, Engines.installed(), _ -> {}).run(WorksetSource.of(inJava));
    assertThat(expected.failure()).isNull();
    assertThat(played.phases())
        .filteredOn(each -> each.bytes() > 0 && !each.operation().equals("open-get"))
        .usingRecursiveFieldByFieldElementComparatorOnFields(
            "name", "operation", "operations", "threads", "entries", "bytes")
        .containsExactlyElementsOf(
            expected.phases().stream().filter(each -> each.bytes() > 0).toList());
    assertThat(played.card().sizes().closedLiveBytes())
        .isEqualTo(expected.card().sizes().closedLiveBytes());
    assertThat(played.card().traffic().movedBytes())
        .isEqualTo(expected.card().traffic().movedBytes());
  }
}

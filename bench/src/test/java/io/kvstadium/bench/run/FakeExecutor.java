package io.kvstadium.bench.run;

import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs nothing, and gives the results that a run would. */
class FakeExecutor implements Executor {
  final List<TrialPlan> plans = new ArrayList<>();
  final List<Resources> resources = new ArrayList<>();

  @Override
  public Message.Done run(TrialPlan plan, Resources given, Consumer<Message> listener) {
    plans.add(plan);
    resources.add(given);
    if (!Files.isDirectory(Path.of(plan.directory()).getParent())) {
      throw new AssertionError("nowhere to put " + plan.directory());
    }
    List<PhaseResult> phases = plan.phases().stream().map(each -> phase(each, plan)).toList();
    String failure = failure(plan);
    return new Message.Done(
        new TrialResult(plan.number(), plan.seed(), failure, phases, CostCard.UNKNOWN),
        Map.of("records", Long.toString(plan.data().records())));
  }

  /** For tests that want one. */
  @Nullable String failure(TrialPlan plan) {
    return null;
  }

  /** For tests that want other figures. */
  PhaseResult phase(PhaseSpec spec, TrialPlan plan) {
    return PhaseResult.of(
        spec.name(), spec.operation().word(), 100, 1_000L * Math.max(1, plan.number()));
  }

  /** The names of the configurations in the order in which they ran. */
  List<String> order() {
    return plans.stream().map(each -> each.configuration().name()).toList();
  }
}

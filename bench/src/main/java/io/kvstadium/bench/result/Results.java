package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Weights;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A whole run of a suite.
 *
 * @param schema version of this form; raised when a reader of the old form would misread the new
 *     one
 * @param stadium version of Stadium
 * @param suite the suite's name
 * @param command the command line that was given
 * @param started when the run began, ISO-8601 with offset
 * @param seconds how long it took
 * @param seed the seed of all keys, values and orders
 * @param complete false if it was interrupted; the results are then what was finished
 * @param machine where it ran
 * @param findings what the environment check and the run itself had to say
 * @param budgetSeconds the time that it had, or 0 if its number of trials was fixed
 * @param extensions how often trials were added after its end
 * @param audit what the harness itself costs, or {@code null} if it was not measured
 * @param experiments in the suite's order
 */
public record Results(
    int schema,
    String stadium,
    String suite,
    String command,
    String started,
    double seconds,
    long seed,
    boolean complete,
    Machine machine,
    List<Finding> findings,
    double budgetSeconds,
    int extensions,
    @Nullable Audit audit,
    List<ExperimentResult> experiments) {
  /** The schema that this version writes. */
  public static final int SCHEMA = 5;

  public Results {
    findings = List.copyOf(findings);
    experiments = List.copyOf(experiments);
  }

  /** Whether any trial has figures. */
  public boolean measured() {
    return experiments.stream()
        .flatMap(each -> each.configurations().stream())
        .flatMap(each -> each.trials().stream())
        .anyMatch(trial -> trial.failure() == null);
  }

  /** Returns an incomplete copy, to which trials will be added. */
  public Results extended() {
    return new Results(
        schema,
        stadium,
        suite,
        command,
        started,
        seconds,
        seed,
        false,
        machine,
        findings,
        budgetSeconds,
        extensions + 1,
        audit,
        experiments);
  }

  /**
   * Returns a copy with other weights of phases in the overall verdicts.
   *
   * @param text such as {@code read=3,scan 100=1}
   * @throws io.kvstadium.store.BadArgumentException if it has none, or names a phase that no
   *     experiment has
   */
  public Results weighted(String text) {
    Map<String, Double> weights =
        Weights.parse(experiments.stream().map(ExperimentResult::plan).toList(), text);
    return withExperiments(
        experiments.stream()
            .map(each -> each.withPlan(each.plan().withAim(each.plan().aim().withWeights(weights))))
            .toList());
  }

  /** Returns a copy with the given experiments. */
  public Results withExperiments(List<ExperimentResult> others) {
    return new Results(
        schema,
        stadium,
        suite,
        command,
        started,
        seconds,
        seed,
        complete,
        machine,
        findings,
        budgetSeconds,
        extensions,
        audit,
        others);
  }
}

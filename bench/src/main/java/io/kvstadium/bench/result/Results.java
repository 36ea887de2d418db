package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Weights;
import io.kvstadium.bench.text.Finding;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A whole run of a suite.
 *
 * @param schema version of this form; raised when a reader of the old form would misread the new
 *     one
 * @param stadium version of Stadium
 * @param request what was asked for
 * @param started when the run began, ISO-8601 with offset
 * @param seconds how long it took
 * @param complete false if it was interrupted; the results are then what was finished
 * @param machine where it ran
 * @param findings what the environment check and the run itself had to say
 * @param audit what the harness itself costs, or {@code null} if it was not measured
 * @param experiments in the suite's order
 */
public record Results(
    int schema,
    String stadium,
    Request request,
    String started,
    double seconds,
    boolean complete,
    Machine machine,
    List<Finding> findings,
    @Nullable Audit audit,
    List<ExperimentResult> experiments) {
  /** The schema that this version writes. */
  public static final int SCHEMA = 7;

  /** The oldest that is read. */
  static final int OLDEST = 6;

  public Results {
    schema = Math.max(schema, SCHEMA); // an older one is read into this form
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

  /** The suite's name. */
  public String suite() {
    return request.suite().name();
  }

  /** The command line that was given. */
  public String command() {
    return request.settings().command();
  }

  /** The seed of all keys, values and orders. */
  public long seed() {
    return request.settings().seed();
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

  /** Returns a copy that seems to be of another machine. */
  public Results on(Machine other) {
    return new Results(
        schema, stadium, request, started, seconds, complete, other, findings, audit, experiments);
  }

  public Results withExperiments(List<ExperimentResult> others) {
    return new Results(
        schema, stadium, request, started, seconds, complete, machine, findings, audit, others);
  }
}

package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run that is compared with others.
 *
 * @param name its name here, different from the others' names
 * @param results what it measured
 * @param interleaved whether its trials ran in the same rounds as those that it is compared with
 */
public record NamedRun(String name, Results results, boolean interleaved) {
  /** Where the user's own data was stored, which does not matter for comparisons. */
  private static final String SOURCE = "source";

  public NamedRun(String name, Results results) {
    this(name, results, false);
  }

  /**
   * The two runs that one is which measured two versions of its engines; empty if it did not.
   *
   * @return the earlier versions first
   */
  public static List<NamedRun> versions(Results results) {
    return results.request().settings().before() == null
        ? List.of()
        : List.of(version("before", results, true), version("after", results, false));
  }

  private static NamedRun version(String name, Results results, boolean earlier) {
    List<ExperimentResult> experiments = new ArrayList<>();
    for (ExperimentResult each : results.experiments()) {
      experiments.add(
          new ExperimentResult(
              each.plan(),
              each.data(),
              each.configurations().stream()
                  .filter(own -> (own.plan().folders() != null) == earlier)
                  .map(own -> own.withPlan(own.plan().later()))
                  .toList()));
    }
    return new NamedRun(name, results.withExperiments(experiments), true);
  }

  /**
   * Makes sure that runs measured the same thing.
   *
   * @throws BadArgumentException if the suites differ, or an experiment had different data
   */
  public static void check(List<NamedRun> runs) {
    NamedRun first = runs.getFirst();
    for (NamedRun run : runs.subList(1, runs.size())) {
      if (!run.results.suite().equals(first.results.suite())) {
        throw new BadArgumentException(
            "%s is of suite %s and %s of suite %s: give runs of one suite"
                .formatted(run.name, run.results.suite(), first.name, first.results.suite()));
      }
      for (ExperimentResult own : first.results.experiments()) {
        first.check(own, run, run.experiment(own.name()));
      }
    }
  }

  private void check(ExperimentResult own, NamedRun run, @Nullable ExperimentResult other) {
    Map<String, Object> here = own.shape();
    Map<String, Object> there = other == null ? new LinkedHashMap<>() : other.shape();
    here.remove(SOURCE);
    there.remove(SOURCE);
    // an experiment without any finished trial knows nothing about its data
    if (here.isEmpty() || there.isEmpty()) {
      return;
    }
    Map<String, Object> all = new LinkedHashMap<>(here);
    all.putAll(there);
    for (String key : all.keySet()) {
      if (!Objects.equals(here.get(key), there.get(key))) {
        throw new BadArgumentException(
            ("experiment %s had different data in %s than in %s (%s: %s and %s): give runs of"
                    + " bench with the same --data, --scale, --engines and --budget")
                .formatted(own.name(), run.name, name, key, there.get(key), here.get(key)));
      }
    }
  }

  public @Nullable ExperimentResult experiment(String wanted) {
    return results.experiments().stream()
        .filter(each -> each.name().equals(wanted))
        .findFirst()
        .orElse(null);
  }

  /**
   * A part of a run: an experiment, one of its configurations, or a phase of that.
   *
   * @param configuration empty for an experiment
   * @param phase empty for an experiment or a configuration
   */
  public record Part(String experiment, String configuration, String phase) {
    public boolean isPhase() {
      return !phase.isEmpty();
    }

    public boolean isConfiguration() {
      return phase.isEmpty() && !configuration.isEmpty();
    }

    private boolean isExperiment() {
      return configuration.isEmpty();
    }

    private Part within() {
      return new Part(experiment, isPhase() ? configuration : "", "");
    }

    @Override
    public String toString() {
      return TextStyle.join(", ", experiment, configuration, phase);
    }
  }

  /**
   * Maps the experiments, their configurations, and the phases with figures to trials: for an
   * experiment none, for a configuration those that its total is over. Each phase has its own
   * measure, the same in all runs: response times at a fixed rate, where all that keep up have the
   * same throughput; the highest rate that held in a search.
   *
   * @param runs all that are compared, this one among them
   */
  public Map<Part, List<Trials>> parts(List<NamedRun> runs) {
    Map<Part, List<Trials>> parts = new LinkedHashMap<>();
    for (ExperimentResult own : results.experiments()) {
      parts.put(new Part(own.name(), "", ""), List.of());
      for (ConfigurationResult each : own.configurations()) {
        List<Trials> counting = new ArrayList<>();
        parts.put(new Part(own.name(), each.name(), ""), counting);
        for (String phase : Trials.phases(each)) {
          Part part = new Part(own.name(), each.name(), phase);
          Trials trials = Trials.of(each, phase).by(measure(part, runs));
          if (!trials.isEmpty()) {
            parts.put(part, List.of(trials));
          }
          if (!trials.isEmpty()
              && own.plan().point() == null
              && OverallRanking.counts(own, List.of(trials))) {
            counting.add(trials);
          }
        }
      }
    }
    return parts;
  }

  private Measure measure(Part part, List<NamedRun> runs) {
    return Measure.of(
        runs.stream()
            .filter(run -> Objects.equals(run.rate(part), rate(part)))
            .map(run -> run.configuration(part))
            .filter(Objects::nonNull)
            .flatMap(own -> Trials.of(own, part.phase).phases().stream())
            .toList());
  }

  /** The configuration of a part, or {@code null} if this run does not have it. */
  public @Nullable ConfigurationResult configuration(Part part) {
    ExperimentResult experiment = experiment(part.experiment);
    return experiment == null
        ? null
        : experiment.configurations().stream()
            .filter(each -> each.name().equals(part.configuration))
            .findFirst()
            .orElse(null);
  }

  /** The rate that a phase's operations were to start at, or {@code null} for none. */
  private @Nullable Rate rate(Part part) {
    ExperimentResult experiment = experiment(part.experiment);
    return experiment == null
        ? null
        : experiment.plan().phases().stream()
            .filter(phase -> phase.name().equals(part.phase))
            .map(PhaseSpec::rate)
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
  }

  /** The weights of phases in the total over them; none if they count equally. */
  public Map<String, Double> weights(Part part) {
    ExperimentResult experiment = experiment(part.experiment);
    return experiment == null ? Map.of() : experiment.plan().aim().weights();
  }

  /** Whether the figures of a phase mean the same in a later run: its rate is the same. */
  public boolean comparable(NamedRun other, Part part) {
    return Objects.equals(rate(part), other.rate(part));
  }

  /** What this run has and cannot be compared with a later run of the same. */
  public List<String> lost(NamedRun other, List<NamedRun> runs) {
    Map<Part, List<Trials>> own = parts(runs);
    Map<Part, List<Trials>> theirs = other.parts(runs);
    List<String> list = new ArrayList<>();
    only(list, own, theirs, " only in the first");
    own.keySet().stream()
        .filter(part -> theirs.containsKey(part) && !comparable(other, part))
        .map(part -> part + ": " + words(rate(part)) + ", then " + words(other.rate(part)))
        .forEach(list::add);
    own.keySet().stream()
        .filter(part -> part.isExperiment() && theirs.containsKey(part))
        .filter(part -> !weights(part).equals(other.weights(part)))
        .map(part ->
            "%s, %s: %s, then %s"
                .formatted(
                    part, OverallRanking.PHASE, words(weights(part)), words(other.weights(part))))
        .forEach(list::add);
    return list;
  }

  private static String words(Map<String, Double> weights) {
    return weights.isEmpty() ? "not weighted" : "weighted " + OverallRanking.words(weights);
  }

  private static String words(@Nullable Rate rate) {
    return rate == null ? "at no rate" : rate.toString();
  }

  /** The same, and what only the later run has. */
  public List<String> missing(NamedRun other, List<NamedRun> runs) {
    List<String> list = lost(other, runs);
    only(list, other.parts(runs), parts(runs), " only in the second");
    return list;
  }

  private static void only(List<String> list, Map<Part, ?> own, Map<Part, ?> other, String where) {
    for (Part part : own.keySet()) {
      boolean whole = part.isExperiment() || other.containsKey(part.within());
      if (whole && !other.containsKey(part)) {
        list.add(part + (part.isPhase() ? " has figures" : " is") + where);
      }
    }
  }
}

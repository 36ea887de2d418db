package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.FarBehind;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Families;
import io.kvstadium.store.Durability;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * How fast configurations were, at each phase and over all of them: what {@code bench}, {@code
 * report} and {@code advise} compare them by.
 *
 * @param all phase → the trials of each configuration by the phase's measure; none empty
 * @param outside configurations that are compared only at phases of their own level, with the
 *     reason
 * @param phases those that are compared
 * @param overall over all phases those that are not outside, or {@code null} if there are too few
 */
public record Speeds(
    Map<String, List<Trials>> all,
    Map<String, String> outside,
    Map<String, List<Trials>> phases,
    OverallRanking.@Nullable Members overall) {
  /**
   * Those of configurations that are compared with one another.
   *
   * @param members of one group
   */
  public static Speeds of(ExperimentResult experiment, List<ConfigurationResult> members) {
    Map<String, String> outside = outside(experiment, members);
    Map<String, List<Trials>> all = all(experiment, members);
    Map<String, List<Trials>> equal =
        only(all, (_, each) -> !outside.containsKey(each.configuration().name()));
    Map<String, Durability> levels = experiment.levels();
    Map<String, List<Trials>> phases =
        only(
            all,
            (phase, each) ->
                !outside.containsKey(each.configuration().name())
                    || each.configuration().effective() == levels.get(phase));
    return new Speeds(all, outside, phases, OverallRanking.members(experiment, equal));
  }

  private static Map<String, List<Trials>> only(
      Map<String, List<Trials>> all, BiPredicate<String, Trials> included) {
    Map<String, List<Trials>> some = new LinkedHashMap<>();
    all.forEach((phase, trials) ->
        some.put(phase, trials.stream().filter(each -> included.test(phase, each)).toList()));
    some.values().removeIf(List::isEmpty);
    return some;
  }

  /** Those that are not compared at a phase. */
  Set<String> outside(String phase) {
    Set<String> names = new LinkedHashSet<>(outside.keySet());
    phases
        .getOrDefault(phase, List.of())
        .forEach(each -> names.remove(each.configuration().name()));
    return names;
  }

  /**
   * Who is not compared: who runs at a stronger durability than was asked for, which costs speed,
   * unless all do; and who is far behind, since of one trial nothing follows.
   */
  private static Map<String, String> outside(
      ExperimentResult experiment, List<ConfigurationResult> members) {
    Map<String, String> outside = new LinkedHashMap<>();
    List<ConfigurationResult> stronger = ComparisonGroup.stronger(members);
    Set<String> behind = FarBehind.stayed(experiment).keySet();
    for (ConfigurationResult each : members) {
      if (stronger.contains(each)) {
        outside.put(each.name(), "at %s, stronger than asked".formatted(each.effective().word()));
      } else if (behind.contains(each.name())) {
        outside.put(each.name(), "far behind in their only trial");
      }
    }
    return outside;
  }

  /** Phase → trials of each configuration by the phase's measure, if there are any. */
  private static Map<String, List<Trials>> all(
      ExperimentResult experiment, Collection<ConfigurationResult> configurations) {
    Map<String, List<Trials>> figures = new LinkedHashMap<>();
    for (String phase : names(experiment)) {
      List<Trials> trials = configurations.stream().map(each -> Trials.of(each, phase)).toList();
      Measure measure = Measure.of(trials.stream().flatMap(own -> own.phases().stream()).toList());
      List<Trials> known =
          trials.stream().map(own -> own.by(measure)).filter(own -> !own.isEmpty()).toList();
      if (!known.isEmpty()) {
        figures.put(phase, known);
      }
    }
    return figures;
  }

  /** The experiment's phases, followed by any that only trials have. */
  private static Set<String> names(ExperimentResult experiment) {
    Set<String> phases = new LinkedHashSet<>(experiment.phases());
    for (ConfigurationResult configuration : experiment.configurations()) {
      for (TrialResult trial : configuration.trials()) {
        trial.phases().forEach(phase -> phases.add(phase.name()));
      }
    }
    return phases;
  }

  /** The phases at a fixed rate. */
  public Map<String, List<Trials>> atFixedRate() {
    Map<String, List<Trials>> atRate = new LinkedHashMap<>(phases);
    atRate.values().removeIf(trials -> trials.stream().noneMatch(Trials::atFixedRate));
    return atRate;
  }

  /**
   * What configurations are compared by as a whole: {@link OverallRanking#PHASE}, or, if there are
   * too few phases, the name of the first that is part of the workload; {@code null} if none is.
   */
  public @Nullable String whole() {
    return overall != null
        ? OverallRanking.PHASE
        : phases.entrySet().stream()
            .filter(each -> each.getValue().stream().allMatch(Trials::counts))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(null);
  }

  /** Configuration → trial number → speed at a phase, or over all of them. */
  public Map<String, Map<Integer, Double>> at(String phase) {
    if (overall != null && phase.equals(OverallRanking.PHASE)) {
      return overall.speeds();
    }
    Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
    phases
        .getOrDefault(phase, List.of())
        .forEach(each -> speeds.put(each.configuration().name(), each.speeds()));
    return speeds;
  }

  /** The verdicts on any two configurations. */
  public Families families() {
    Map<String, Map<String, Map<Integer, Double>>> speeds = new LinkedHashMap<>();
    Set<String> judgedAlone = new LinkedHashSet<>();
    phases.forEach((phase, trials) -> {
      speeds.put(phase, at(phase));
      if (!Trials.workload(phase) || trials.stream().anyMatch(Trials::atFixedRate)) {
        judgedAlone.add(phase);
      }
    });
    if (overall != null && overall.compares()) {
      speeds.put(OverallRanking.PHASE, overall.speeds());
    }
    return Families.of(speeds, judgedAlone);
  }
}

package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What results mean: everything that a report says, computed once.
 *
 * @param results what it was computed from
 * @param sections one for each experiment
 */
public record Report(Results results, List<ExperimentReport> sections) {
  /** From this share of a figure on, the harness is said to limit it. */
  public static final double HARNESS_SHARE = 0.1;

  /** From this share of a phase's time on, garbage collection is pointed out. */
  public static final double COLLECTION_SHARE = 0.1;

  public Report {
    sections = List.copyOf(sections);
  }

  /**
   * Computes the report.
   *
   * @throws io.kvstadium.store.BadArgumentException if a latency histogram cannot be decoded
   */
  public static Report of(Results results) {
    List<ExperimentReport> sections = new ArrayList<>();
    List<List<PublishedTable>> published = PublishedTable.of(results.experiments());
    for (ExperimentResult experiment : results.experiments()) {
      sections.add(section(experiment, results.audit(), published.get(sections.size())));
    }
    return new Report(results, sections);
  }

  /** The points of each sweep together, where the first stands, and every other section alone. */
  List<List<ExperimentReport>> chapters() {
    return Sweep.together(sections, section -> section.experiment().point());
  }

  /** The sweeps, in their order. */
  public List<Sweep> sweeps() {
    return chapters().stream()
        .filter(together -> together.getFirst().experiment().point() != null)
        .map(Sweep::of)
        .toList();
  }

  private static ExperimentReport section(
      ExperimentResult experiment, @Nullable Audit audit, List<PublishedTable> published) {
    Map<String, List<ConfigurationResult>> configurations = new LinkedHashMap<>();
    for (ConfigurationResult each : experiment.configurations()) {
      configurations.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
    }
    List<ComparisonGroup> groups = new ArrayList<>();
    configurations.forEach((group, members) -> {
      Map<String, Map<String, Trials>> figures = figures(experiment, members);
      List<PhaseRanking> rankings = new ArrayList<>();
      figures.forEach((phase, trials) -> rankings.add(ranking(phase, trials, audit)));
      groups.add(
          new ComparisonGroup(
              group,
              ComparisonGroup.titleOf(group, members),
              ComparisonGroup.noteOf(group, members),
              members,
              rankings,
              experiment.point() == null ? OverallRanking.of(figures) : null));
    });
    List<Costs> costs =
        experiment.configurations().stream().map(Costs::of).filter(Costs::known).toList();
    return new ExperimentReport(experiment, groups, absences(experiment), costs, published);
  }

  /** Phase → configuration → its trials by the phase's measure, as far as there are any. */
  private static Map<String, Map<String, Trials>> figures(
      ExperimentResult experiment, List<ConfigurationResult> members) {
    Map<String, Map<String, Trials>> figures = new LinkedHashMap<>();
    for (String phase : phases(experiment)) {
      Map<String, Trials> trials = new LinkedHashMap<>();
      members.forEach(member -> trials.put(member.name(), Trials.of(member, phase)));
      Measure measure =
          Measure.of(trials.values().stream().flatMap(each -> each.phases().stream()).toList());
      trials.replaceAll((_, own) -> own.by(measure));
      trials.values().removeIf(Trials::isEmpty);
      if (!trials.isEmpty()) {
        figures.put(phase, trials);
      }
    }
    return figures;
  }

  /** The experiment's phases, and after them any that only trials know of. */
  private static Set<String> phases(ExperimentResult experiment) {
    Set<String> phases = new LinkedHashSet<>(experiment.phases());
    for (ConfigurationResult configuration : experiment.configurations()) {
      for (TrialResult trial : configuration.trials()) {
        trial.phases().forEach(phase -> phases.add(phase.name()));
      }
    }
    return phases;
  }

  private static PhaseRanking ranking(
      String phase, Map<String, Trials> trials, @Nullable Audit audit) {
    Map<String, Estimate> rates = new LinkedHashMap<>();
    trials.forEach((name, figures) -> rates.put(name, Estimate.of(figures.rates())));
    List<String> ranked = new ArrayList<>(rates.keySet());
    ranked.sort(Comparator.comparingDouble((String name) -> median(rates, name)).reversed());
    String first = ranked.getFirst();
    Trials best = Objects.requireNonNull(trials.get(first));
    List<Standing> standings = new ArrayList<>();
    for (String name : ranked) {
      Trials own = Objects.requireNonNull(trials.get(name));
      Pacing pacing = Pacing.of(own);
      standings.add(
          new Standing(
              name,
              Objects.requireNonNull(rates.get(name)),
              PhaseCosts.of(own.phases()),
              median(rates, name) / median(rates, first),
              name.equals(first) ? null : own.against(best),
              own.latencies(),
              pacing,
              Throughput.of(own),
              Warnings.of(own, pacing, audit)));
    }
    Measure measure = best.measure();
    PhaseRanking ranking = new PhaseRanking(phase, measure.words(), measure.time(), standings, "");
    return new PhaseRanking(
        phase, measure.words(), measure.time(), standings, Sentence.of(ranking));
  }

  private static double median(Map<String, Estimate> rates, String name) {
    return Objects.requireNonNull(rates.get(name)).median();
  }

  private static List<Absence> absences(ExperimentResult experiment) {
    List<Absence> absences = new ArrayList<>();
    for (ConfigurationResult configuration : experiment.configurations()) {
      if (configuration.skipped() != null) {
        absences.add(new Absence(configuration.name(), "skipped", configuration.skipped()));
      }
      for (TrialResult trial : configuration.trials()) {
        String what = "trial " + trial.number() + " failed";
        if (trial.failure() != null) {
          absences.add(new Absence(configuration.name(), what, trial.failure()));
        }
        absences.addAll(unheld(configuration, trial));
      }
    }
    return absences;
  }

  /** A search at whose every rate the limit was broken has found none. */
  private static List<Absence> unheld(ConfigurationResult configuration, TrialResult trial) {
    List<Absence> absences = new ArrayList<>();
    for (PhaseResult phase : trial.phases()) {
      Pace pace = phase.pace();
      if (pace != null && !pace.tries().isEmpty() && !pace.held()) {
        String lowest =
            Units.rate(pace.tries().stream().mapToDouble(Pace.Try::rate).min().orElseThrow());
        absences.add(
            new Absence(
                configuration.name(),
                "trial " + trial.number() + ", " + phase.name(),
                "no rate held " + pace.limit() + ", not even " + lowest));
      }
    }
    return absences;
  }
}

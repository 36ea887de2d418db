package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Latencies;
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
public record Report(Results results, List<Section> sections) {
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
    List<Section> sections = new ArrayList<>();
    List<List<PublishedTable>> published = PublishedTable.of(results.experiments());
    for (ExperimentResult experiment : results.experiments()) {
      sections.add(section(experiment, results.audit(), published.get(sections.size())));
    }
    return new Report(results, sections);
  }

  /** The experiments that are points of a sweep, put together by sweep. */
  public List<SweepSummary> sweeps() {
    return SweepSummary.of(sections);
  }

  /** The sweep of a name. */
  SweepSummary sweep(String name) {
    return sweeps().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  private static Section section(
      ExperimentResult experiment, @Nullable Audit audit, List<PublishedTable> published) {
    Map<String, List<ConfigurationResult>> groups = new LinkedHashMap<>();
    for (ConfigurationResult each : experiment.configurations()) {
      groups.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
    }
    List<Division> divisions = new ArrayList<>();
    groups.forEach((group, members) -> {
      Map<String, Map<String, Trials>> figures = figures(experiment, members);
      List<Board> boards = new ArrayList<>();
      figures.forEach((phase, trials) -> boards.add(board(phase, trials, audit)));
      divisions.add(
          new Division(
              group,
              Division.titleOf(group, members),
              Division.noteOf(group, members),
              members,
              boards,
              experiment.point() == null ? OverallBoard.of(figures) : null));
    });
    List<Costs> costs =
        experiment.configurations().stream().map(Costs::of).filter(Costs::known).toList();
    return new Section(experiment, divisions, absences(experiment), costs, published);
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

  private static Board board(String phase, Map<String, Trials> trials, @Nullable Audit audit) {
    Map<String, Estimate> rates = new LinkedHashMap<>();
    trials.forEach((name, figures) -> rates.put(name, Estimate.of(figures.rates())));
    List<String> ranked = new ArrayList<>(rates.keySet());
    ranked.sort(Comparator.comparingDouble((String name) -> median(rates, name)).reversed());
    String first = ranked.getFirst();
    Trials best = Objects.requireNonNull(trials.get(first));
    List<Cell> cells = new ArrayList<>();
    for (String name : ranked) {
      Trials own = Objects.requireNonNull(trials.get(name));
      Pacing pacing = Pacing.of(own);
      cells.add(
          new Cell(
              name,
              Objects.requireNonNull(rates.get(name)),
              PhaseCosts.of(own.phases()),
              median(rates, name) / median(rates, first),
              name.equals(first) ? null : own.against(best),
              latencies(own),
              pacing,
              Throughput.of(own),
              Marks.of(own, pacing, audit)));
    }
    Measure measure = best.measure();
    Board board = new Board(phase, measure.words(), measure.time(), cells, "");
    return new Board(phase, measure.words(), measure.time(), cells, Sentence.of(board));
  }

  private static double median(Map<String, Estimate> rates, String name) {
    return Objects.requireNonNull(rates.get(name)).median();
  }

  private static @Nullable Latencies latencies(Trials trials) {
    List<String> histograms = new ArrayList<>();
    int batch = 1;
    for (PhaseResult phase : trials.phases()) {
      if (phase.histogram() != null) {
        histograms.add(phase.histogram());
        batch = Math.max(batch, phase.batch());
      }
    }
    return histograms.isEmpty() ? null : Latencies.merge(histograms, batch);
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
        trial.phases().stream()
            .filter(phase -> phase.misses() > 0 && trial.failure() == null)
            .forEach(phase ->
                absences.add(
                    new Absence(
                        configuration.name(),
                        what,
                        phase.misses() + " reads of phase " + phase.name() + " found nothing")));
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

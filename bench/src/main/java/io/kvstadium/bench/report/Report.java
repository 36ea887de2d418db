package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
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

  private static Section section(
      ExperimentResult experiment, @Nullable Audit audit, List<PublishedTable> published) {
    Map<String, List<ConfigurationResult>> groups = new LinkedHashMap<>();
    for (ConfigurationResult each : experiment.configurations()) {
      groups.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
    }
    List<Division> divisions = new ArrayList<>();
    groups.forEach((group, members) ->
        divisions.add(
            new Division(
                group,
                Division.titleOf(group, members),
                Division.noteOf(group, members),
                members,
                boards(experiment, members, audit))));
    List<Costs> costs =
        experiment.configurations().stream().map(Costs::of).filter(Costs::known).toList();
    return new Section(experiment, divisions, absences(experiment), costs, published);
  }

  private static List<Board> boards(
      ExperimentResult experiment, List<ConfigurationResult> members, @Nullable Audit audit) {
    List<Board> boards = new ArrayList<>();
    for (String phase : phases(experiment)) {
      Map<String, Trials> trials = new LinkedHashMap<>();
      for (ConfigurationResult member : members) {
        Trials figures = Trials.of(member, phase);
        if (!figures.isEmpty()) {
          trials.put(member.name(), figures);
        }
      }
      if (!trials.isEmpty()) {
        boards.add(board(phase, trials, audit));
      }
    }
    return boards;
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
      cells.add(
          new Cell(
              name,
              Objects.requireNonNull(rates.get(name)),
              cpuNanos(own),
              median(rates, name) / median(rates, first),
              name.equals(first) ? null : own.against(best),
              latencies(own),
              marks(own, audit)));
    }
    boolean single = trials.values().stream().allMatch(Trials::single);
    Board board = new Board(phase, single, cells, "");
    return new Board(phase, single, cells, Sentence.of(board));
  }

  private static double median(Map<String, Estimate> rates, String name) {
    return Objects.requireNonNull(rates.get(name)).median();
  }

  private static double cpuNanos(Trials trials) {
    double[] costs =
        trials.phases().stream()
            .filter(phase -> phase.cost().cpuNanos() > 0)
            .mapToDouble(phase -> (double) phase.cost().cpuNanos() / phase.operations())
            .toArray();
    return costs.length == 0 ? Double.NaN : Estimate.of(costs).median();
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

  private static List<Mark> marks(Trials trials, @Nullable Audit audit) {
    List<Mark> marks = new ArrayList<>();
    double harness = audit == null ? 0 : harnessShare(trials, audit);
    if (harness > HARNESS_SHARE) {
      marks.add(
          new Mark(
              "harness-limited",
              "the harness itself is " + Units.percent(harness) + " of this figure"));
    }
    double collection =
        share(trials.phases().stream().mapToDouble(p -> (double) p.cost().gcNanos() / p.nanos()));
    if (collection > COLLECTION_SHARE) {
      marks.add(
          new Mark(
              "garbage collection",
              "garbage collection took " + Units.percent(collection) + " of the time"));
    }
    long errors = trials.phases().stream().mapToLong(PhaseResult::errors).sum();
    if (errors > 0) {
      marks.add(new Mark("errors", errors + " operations failed and were not timed"));
    }
    return marks;
  }

  /** The harness costs each thread its share, so it is set against the time of a thread. */
  private static double harnessShare(Trials trials, Audit audit) {
    return share(
        trials.phases().stream()
            .filter(phase -> phase.operations() > 1)
            .mapToDouble(phase ->
                (phase.batch() > 1 ? audit.batchedNanos() : audit.timedNanos())
                    / (phase.nanosPerOperation() * phase.threads())));
  }

  private static double share(DoubleStream shares) {
    double[] sorted = shares.toArray();
    Arrays.sort(sorted);
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
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
      }
    }
    return absences;
  }
}

package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Comparison.Line;
import io.kvstadium.bench.report.analysis.FigureTrials;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.NamedRun.Part;
import io.kvstadium.bench.report.analysis.OverallRanking;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.Samples.Times;
import io.kvstadium.bench.stats.Changes;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a comparison. What the phases are compared by is judged together, as are the totals;
 * each other figure is a family of its own, so that it takes nothing from the certainty of those.
 */
final class ComparedFigures {
  /** The family of what phases are compared by. */
  private static final String MAIN = "";

  private final List<NamedRun> runs;
  private final NamedRun first;
  private final Map<Part, List<Trials>> before;
  private final Map<Part, Map<String, List<Line>>> lines = new LinkedHashMap<>();

  /**
   * @param runs all that are compared; the first is the baseline
   */
  ComparedFigures(List<NamedRun> runs) {
    this.runs = runs;
    this.first = runs.getFirst();
    this.before = first.parts(runs);
    before.keySet().forEach(part -> lines.put(part, new LinkedHashMap<>()));
  }

  /** By configuration and phase, and of each the first run's line before the later ones'. */
  List<Line> lines() {
    return lines.values().stream()
        .flatMap(own -> own.values().stream())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Judges all that is compared and that a later run has in common with the first.
   *
   * @param margin what is less is no change
   * @param questions as below
   */
  void judge(NamedRun run, double margin, int questions) {
    Map<String, Family> families = new LinkedHashMap<>();
    forEachCommon(
        run,
        (part, trials, others) -> {
          if (part.isPhase() && !others.isEmpty()) {
            Trials own = trials.getFirst();
            boolean apart = !Trials.workload(part.phase()) || own.atFixedRate();
            Line line = Line.of(part, run.name(), own.measure());
            Family family = families.computeIfAbsent(MAIN, _ -> new Family());
            family.add(line, FigureTrials.of(own), FigureTrials.of(others.getFirst()), apart);
          } else if (part.isConfiguration()) {
            List<Trials> theirs = common(others, common(trials, others));
            List<Trials> own = common(trials, theirs);
            Map<String, Double> weights = first.weights(part);
            if (weights.equals(run.weights(part))
                && OverallRanking.areEnough(own.size(), weights)) {
              families
                  .computeIfAbsent(MAIN, _ -> new Family())
                  .add(
                      Line.of(part, run.name(), null),
                      OverallRanking.means(own, weights),
                      OverallRanking.means(theirs, weights));
            }
          }
          for (Figure figure : Figures.COMPARED) {
            if (figure.ofPhase() == part.isPhase() && isBeside(figure, part, trials)) {
              for (String operation : operations(figure, trials)) {
                families
                    .computeIfAbsent(figure.name() + operation, _ -> new Family())
                    .add(run, part, figure, operation, trials);
              }
            }
          }
        });
    families
        .values()
        .forEach(family -> family.judged(margin, questions).forEach(line -> add(family, line)));
  }

  /**
   * Judges one figure, wherever a later run and the first have it, as one family.
   *
   * @param where of which phases, and of which of their operations (empty for all together)
   * @param margin what is less is no change
   * @param questions how many families are asked about: together they are at the level of one
   */
  void judge(
      NamedRun run,
      Figure figure,
      BiPredicate<String, String> where,
      double margin,
      int questions) {
    Family family = new Family();
    forEachCommon(
        run,
        (part, trials, _) -> {
          if (figure.ofPhase() == part.isPhase()) {
            for (String operation : operations(figure, trials)) {
              if (where.test(part.phase(), operation)) {
                family.add(run, part, figure, operation, trials);
              }
            }
          }
        });
    family.judged(margin, questions).forEach(line -> add(family, line));
  }

  private interface Common {
    void accept(Part part, List<Trials> own, List<Trials> theirs);
  }

  /** Phases and configurations that a later run has too, and whose figures mean the same there. */
  private void forEachCommon(NamedRun run, Common each) {
    Map<Part, List<Trials>> after = run.parts(runs);
    before.forEach((part, trials) -> {
      List<Trials> others = after.getOrDefault(part, List.of());
      boolean is = part.isConfiguration() ? after.containsKey(part) : !others.isEmpty();
      if (is && first.comparable(run, part)) {
        each.accept(part, trials, others);
      }
    });
  }

  /** All of a phase, and, of times, each kind of operation that was timed apart. */
  private static List<String> operations(Figure figure, List<Trials> trials) {
    List<String> operations = new ArrayList<>(List.of(""));
    if (Figures.of(Times.CALLER).contains(figure) && !trials.isEmpty()) {
      operations.addAll(trials.getFirst().samples().operations());
    }
    return operations;
  }

  /** Whether a figure says more than what the phase is compared by; calls are nothing but that. */
  private static boolean isBeside(Figure figure, Part part, List<Trials> trials) {
    return !part.isPhase()
        || (Trials.workload(part.phase())
            && !trials.getFirst().measure().figure().name().endsWith("_" + figure.name()));
  }

  private void add(Family family, Line line) {
    FigureTrials baseline = family.baseline(line);
    lines
        .getOrDefault(line.part(), new LinkedHashMap<>())
        .computeIfAbsent(
            line.measure() != null || line.trials() == null
                ? MAIN
                : line.name() + line.trials().operation(),
            _ -> {
              List<Line> own = new ArrayList<>();
              if (baseline != null) {
                own.add(Line.of(line.part(), first.name(), line.measure()).with(baseline, true));
              }
              return own;
            })
        .add(line);
  }

  /** The phases that the others have too and that have all of the trials that any phase has. */
  private static List<Trials> common(List<Trials> own, List<Trials> others) {
    Set<Integer> all = new HashSet<>();
    own.forEach(each -> all.addAll(each.byNumber().keySet()));
    return own.stream()
        .filter(each -> each.byNumber().keySet().equals(all))
        .filter(each -> others.stream().anyMatch(same -> same.phase().equals(each.phase())))
        .toList();
  }

  /** Figures that are judged together. */
  private final class Family {
    private final Map<Changes.Part, Map<Integer, Double>> then = new LinkedHashMap<>();
    private final Map<Changes.Part, Map<Integer, Double>> now = new LinkedHashMap<>();
    private final Map<Changes.Part, Line> lines = new LinkedHashMap<>();
    private final Map<String, FigureTrials> baselines = new LinkedHashMap<>();
    private final Set<String> apart = new HashSet<>();

    /** Adds a figure, if both runs know it. */
    void add(NamedRun run, Part part, Figure figure, String operation, List<Trials> trials) {
      ConfigurationResult then = first.configuration(part);
      ConfigurationResult now = run.configuration(part);
      if (then != null && now != null) {
        FigureTrials one = FigureTrials.of(then, part.phase(), figure, operation);
        FigureTrials other = FigureTrials.of(now, part.phase(), figure, operation);
        if (!one.speeds().isEmpty() && !other.speeds().isEmpty()) {
          boolean isApart = !trials.isEmpty() && trials.getFirst().atFixedRate();
          add(Line.of(part, run.name(), null), one, other, isApart);
        }
      }
    }

    void add(Line line, FigureTrials one, FigureTrials other, boolean isApart) {
      Part part = line.part();
      Changes.Part name =
          new Changes.Part(
              part.configuration(),
              TextStyle.join(", ", part.experiment(), part.phase(), other.operation()),
              false);
      if (isApart) {
        apart.add(name.phase());
      }
      baselines.put(part + other.operation(), one);
      lines.put(name, line.with(other, other.sameData(one)));
      then.put(name, one.speeds());
      now.put(name, other.speeds());
    }

    /** Adds a line over all phases. */
    void add(Line line, Map<Integer, Double> one, Map<Integer, Double> other) {
      Part part = line.part();
      String phase = part.experiment() + ", " + OverallRanking.PHASE;
      Changes.Part name = new Changes.Part(part.configuration(), phase, true);
      lines.put(name, line.counting(Math.min(one.size(), other.size())));
      then.put(name, one);
      now.put(name, other);
    }

    List<Line> judged(double margin, int questions) {
      Map<Changes.Part, Verdict> verdicts =
          Changes.of(then, now, apart, margin, first.interleaved(), questions);
      List<Line> judged = new ArrayList<>();
      lines.forEach((name, line) ->
          judged.add(line.judged(verdicts.getOrDefault(name, Verdict.Undecided.UNKNOWN))));
      return judged;
    }

    @Nullable FigureTrials baseline(Line line) {
      return line.trials() == null ? null : baselines.get(line.part() + line.trials().operation());
    }
  }
}

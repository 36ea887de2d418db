package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Family;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Unit;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The comparison within a group over all phases of its workload: each trial has one value, the
 * geometric mean of its phases' speeds, weighted as the reader asked for.
 *
 * <p>The phases are those that were given a weight. If none was, all phases that any configuration
 * has figures for count equally, with these exceptions. {@code open} and {@code close} do not
 * count, being costs and not part of the workload. Neither do bulk loads, which are an alternative
 * to inserts and which few engines offer, nor phases at a fixed rate, where all that keep up are
 * equal. A search for the highest rate counts.
 *
 * <p>Only configurations that have a figure for each of these phases in all their trials are
 * compared: an engine that cannot scan has no place in a workload that scans. The others are named.
 * Leaving out every phase that any one lacks would let a configuration that lacks many, such as one
 * that is only loaded, reduce what the others are judged by.
 *
 * @param phases the number of phases that it is over
 * @param weights the weights asked for, for those phases; empty if they count equally
 * @param standings of the configurations that are compared
 * @param sentence the verdict in a plain sentence
 * @param unranked who and what does not count, and why; or an empty text
 */
public record OverallRanking(
    int phases, Map<String, Double> weights, List<Rank> standings, String sentence, String unranked)
    implements Ranking {
  /** Its name among the phases. */
  public static final String PHASE = "overall";

  /** If more than this lack phases, only their names are given. */
  private static final int NAMED = 3;

  /** The speed over all phases; where that is one, its rate. */
  public static final Figure FIGURE =
      new Figure(PHASE, PHASE, false, Unit.RATE, Figure.Better.HIGHER, Figures.RATE::of);

  /**
   * A configuration's place.
   *
   * @param rate over its trials; of one that lacks a round, that of the first by its factor
   */
  public record Rank(String configuration, Estimate rate, double factor, @Nullable Verdict verdict)
      implements Place {
    @Override
    public FigureEstimate figure() {
      return FigureEstimate.of(rate, FIGURE);
    }

    /** Only programs are shown it: of several phases, the factor says more. */
    @Override
    public String text() {
      return "";
    }
  }

  /**
   * The configurations of a group.
   *
   * @param phases how many phases count
   * @param weights of those phases; empty if they count equally
   * @param speeds of each configuration that has all of them: trial number → geometric mean
   * @param others those that lack phases, with what they lack
   * @param atFixedRate phases that do not count because they are at a fixed rate
   */
  public record Members(
      int phases,
      Map<String, Double> weights,
      Map<String, Map<Integer, Double>> speeds,
      Map<String, List<String>> others,
      List<String> atFixedRate) {
    /** Whether there are two to compare. */
    boolean compares() {
      return speeds.size() + others.size() > 1;
    }
  }

  /**
   * The speeds over all phases, or {@code null} if there are too few.
   *
   * @param figures phase → trials by the phase's measure; none empty
   */
  static @Nullable Members members(ExperimentResult experiment, Map<String, List<Trials>> figures) {
    Map<String, Double> weights = experiment.plan().aim().weights();
    Map<String, List<Trials>> configurations = new LinkedHashMap<>();
    List<String> phases = new ArrayList<>();
    List<String> atFixedRate = new ArrayList<>();
    figures.forEach((phase, trials) -> {
      if (counts(experiment, trials)) {
        phases.add(phase);
        for (Trials own : trials) {
          String name = own.configuration().name();
          configurations.computeIfAbsent(name, _ -> new ArrayList<>()).add(own);
        }
      } else if (weights.isEmpty() && trials.stream().anyMatch(Trials::atFixedRate)) {
        atFixedRate.add(phase);
      }
    });
    if (!areEnough(phases.size(), weights)) {
      return null;
    }
    Map<String, Double> counted = new LinkedHashMap<>(weights);
    counted.keySet().retainAll(phases);
    Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
    Map<String, List<String>> others = new LinkedHashMap<>();
    configurations.forEach((name, own) -> {
      List<String> gaps = gaps(own, phases);
      if (gaps.isEmpty()) {
        speeds.put(name, means(own, counted));
      } else {
        others.put(name, gaps);
      }
    });
    return new Members(phases.size(), counted, speeds, others, atFixedRate);
  }

  /**
   * Whether a phase counts.
   *
   * @param trials of the phase, at least one
   */
  static boolean counts(ExperimentResult experiment, List<Trials> trials) {
    String phase = trials.getFirst().phase();
    Map<String, Double> weights = experiment.plan().aim().weights();
    return weights.isEmpty()
        ? trials.stream().allMatch(own -> own.counts() && !own.atFixedRate())
            && !experiment.levels().containsKey(phase) // at a durability of its own
        : weights.containsKey(phase);
  }

  /** Whether so many phases are more than one of them, or what the reader asked for. */
  public static boolean areEnough(int phases, Map<String, Double> weights) {
    return phases >= (weights.isEmpty() ? 2 : 1);
  }

  /**
   * Each trial's geometric mean over phases that all trials have: without weights every phase
   * counts equally, and half the time in one as much as half the time in another (P. J. Fleming, J.
   * J. Wallace, How not to lie with statistics, CACM 29, 1986).
   *
   * @param weights of phases; empty if they count equally
   */
  public static Map<Integer, Double> means(List<Trials> phases, Map<String, Double> weights) {
    double sum = phases.stream().mapToDouble(own -> weights.getOrDefault(own.phase(), 1.0)).sum();
    Map<Integer, Double> means = new TreeMap<>();
    phases.forEach(phase -> {
      double share = weights.getOrDefault(phase.phase(), 1.0) / sum;
      phase
          .speeds()
          .forEach((number, speed) -> means.merge(number, Math.pow(speed, share), (a, b) -> a * b));
    });
    return means;
  }

  /** Compares the members by a family. */
  public static OverallRanking of(Members members, Family family) {
    Map<String, Estimate> estimates = new LinkedHashMap<>();
    Map<String, Double> means = new LinkedHashMap<>();
    members.speeds.forEach((name, own) -> {
      Estimate speed = Estimate.of(own.values().stream().mapToDouble(each -> each).toArray());
      estimates.put(name, speed.with(family.intervals().get(name)));
      means.put(name, speed.mean());
    });
    List<Rank> places = new ArrayList<>();
    if (!means.isEmpty()) {
      String first = Ranking.first(means, family);
      double best = means.getOrDefault(first, 1.0);
      estimates.forEach((name, speed) -> {
        Verdict verdict = name.equals(first) ? null : family.verdict(name, first);
        double factor = Ranking.factor(verdict, speed.mean(), best);
        places.add(new Rank(name, speed.at(best / factor), factor, verdict));
      });
    }
    places.sort(
        Comparator.comparing((Rank own) -> own.verdict != null).thenComparingDouble(Rank::factor));
    String left =
        members.atFixedRate.isEmpty()
            ? ""
            : "not counted, at a fixed rate: " + String.join(", ", members.atFixedRate);
    return new OverallRanking(
        members.phases,
        members.weights,
        List.copyOf(places),
        places.isEmpty() ? "no configuration has all of them." : Sentence.of(places),
        TextStyle.join("; ", unranked(members.others), left));
  }

  private static List<String> gaps(List<Trials> own, List<String> phases) {
    Set<Integer> numbers = new TreeSet<>();
    own.forEach(trials -> numbers.addAll(trials.byNumber().keySet()));
    List<String> gaps = new ArrayList<>();
    for (String phase : phases) {
      int known =
          own.stream()
              .filter(each -> each.phase().equals(phase))
              .mapToInt(each -> each.byNumber().size())
              .sum();
      if (known == 0) {
        gaps.add("no " + phase);
      } else if (known < numbers.size()) {
        gaps.add(phase + " in " + known + " of " + numbers.size() + " trials");
      }
    }
    return gaps;
  }

  private static String unranked(Map<String, List<String>> others) {
    if (others.isEmpty()) {
      return "";
    }
    boolean named = others.size() <= NAMED;
    String all =
        others.entrySet().stream()
            .map(each ->
                each.getKey() + (named ? " (" + String.join(", ", each.getValue()) + ")" : ""))
            .collect(Collectors.joining(", "));
    return "no overall figure, because phases are missing: " + all;
  }

  /** The label of the ranking: {@code overall (geometric mean of 5 phases)}. */
  public String label() {
    return weights.isEmpty()
        ? "overall (geometric mean of " + phases + " phases)"
        : "overall (geometric mean, weighted " + words(weights) + ")";
  }

  /** Such as {@code read ×3, load ×1}. */
  static String words(Map<String, Double> weights) {
    return weights.entrySet().stream()
        .map(each -> each.getKey() + " ×" + Units.number(each.getValue()))
        .collect(Collectors.joining(", "));
  }

  @Override
  public String phase() {
    return PHASE;
  }
}

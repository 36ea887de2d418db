package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Shape;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.hipparchus.stat.descriptive.rank.Median;
import org.jspecify.annotations.Nullable;

/**
 * The trials of one configuration that have a figure for one phase.
 *
 * @param byNumber trial number → its phase
 * @param measure what they are compared by
 */
public record Trials(
    ConfigurationResult configuration,
    String phase,
    Map<Integer, PhaseResult> byNumber,
    Measure measure) {
  private static final Set<String> WRITES =
      Stream.of(Operation.values())
          .filter(each -> each != Operation.MIXED && each.writes(Shape.SINGLE))
          .map(Operation::word)
          .collect(Collectors.toUnmodifiableSet());

  /** Trials that did not fail. */
  public static List<TrialResult> good(ConfigurationResult configuration) {
    return configuration.trials().stream().filter(trial -> trial.failure() == null).toList();
  }

  public static Trials of(ConfigurationResult configuration, String phase) {
    Map<Integer, PhaseResult> figures = new TreeMap<>();
    for (TrialResult trial : good(configuration)) {
      PhaseResult result = phase(trial, phase);
      if (result != null && result.operations() > 0 && result.nanos() > 0) {
        figures.put(trial.number(), result);
      }
    }
    return new Trials(configuration, phase, figures, Measure.RATE);
  }

  /** The trials that have a figure by another measure. */
  public Trials by(Measure other) {
    Map<Integer, PhaseResult> figures = new TreeMap<>(byNumber);
    figures.values().removeIf(figure -> !(other.speed().applyAsDouble(figure) > 0));
    return new Trials(configuration, phase, figures, other);
  }

  public static @Nullable PhaseResult phase(TrialResult trial, String name) {
    return trial.phases().stream()
        .filter(phase -> phase.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  public boolean isEmpty() {
    return byNumber.isEmpty();
  }

  public Collection<PhaseResult> phases() {
    return byNumber.values();
  }

  public boolean all(Predicate<PhaseResult> what) {
    return phases().stream().allMatch(what);
  }

  /** The part of each trial, without trials that do not have it. */
  public <T> List<T> each(Function<PhaseResult, @Nullable T> part) {
    return phases().stream().map(part).filter(Objects::nonNull).toList();
  }

  /** The median of the figures that are not negative, or NaN if there are none. */
  public double median(ToDoubleFunction<PhaseResult> figure) {
    return median(phases().stream().mapToDouble(figure));
  }

  /** The same for a configuration's costs. */
  public static double median(
      ConfigurationResult configuration, ToDoubleFunction<CostCard> figure) {
    return median(good(configuration).stream().map(TrialResult::card).mapToDouble(figure));
  }

  public static double median(DoubleStream figures) {
    return new Median().evaluate(figures.filter(value -> value >= 0).toArray());
  }

  /** An amount per count; negative if one of them is unknown. */
  public static double per(long amount, long count) {
    return amount < 0 || count <= 0 ? -1 : (double) amount / count;
  }

  /** Service times of all trials together, or {@code null} if none were recorded. */
  public @Nullable Latencies latencies() {
    int batch = phases().stream().mapToInt(PhaseResult::batch).max().orElse(1);
    return merged(PhaseResult::histogram, batch);
  }

  /** The latencies of all trials at a fixed rate together, or {@code null} if there are none. */
  public @Nullable Latencies latencies(Function<OpenLoop, @Nullable String> histogram) {
    return merged(phase -> phase.openLoop() == null ? null : histogram.apply(phase.openLoop()), 1);
  }

  private @Nullable Latencies merged(Function<PhaseResult, @Nullable String> part, int batch) {
    List<String> histograms = each(part);
    return histograms.isEmpty() ? null : Latencies.merge(histograms, batch);
  }

  /**
   * Whether the phase is more than one call of its engine ({@code create}, {@code open} or {@code
   * close}).
   */
  public static boolean workload(String phase) {
    return !PhaseResult.CALLS.contains(phase);
  }

  /**
   * Whether the phase is part of the workload that an overall verdict covers. Single calls are not;
   * neither are bulk loads, which are an alternative to inserts and which few engines offer.
   */
  public boolean counts() {
    return workload(phase) && all(each -> !each.operation().equals(Operation.LOAD.word()));
  }

  /**
   * Whether operations started at a fixed rate in any trial; a search for a rate does not count.
   */
  public boolean atFixedRate() {
    return each(PhaseResult::openLoop).stream().anyMatch(openLoop -> openLoop.tries().isEmpty());
  }

  /** Whether the phase's operations change the store. */
  public static boolean writes(Trials own) {
    return own.each(PhaseResult::operation).stream().anyMatch(WRITES::contains);
  }

  /** The speeds by the measure, which is operations per second by default. */
  public double[] rates() {
    return phases().stream().mapToDouble(measure.speed()).toArray();
  }

  /** The same by trial number. */
  public Map<Integer, Double> speeds() {
    Map<Integer, Double> speeds = new TreeMap<>();
    byNumber.forEach((number, own) -> speeds.put(number, measure.speed().applyAsDouble(own)));
    return speeds;
  }

  /** The number of the trial of median speed; of two in the middle, the slower one. */
  public int typical() {
    List<Map.Entry<Integer, Double>> speeds =
        speeds().entrySet().stream().sorted(Map.Entry.comparingByValue()).toList();
    return speeds.get((speeds.size() - 1) / 2).getKey();
  }

  /**
   * Whether trials with the same number saw the same data wherever both have one, and there are
   * such trials.
   */
  public boolean sameData(Trials other) {
    Map<Integer, Long> theirs = other.seeds();
    Map<Integer, Long> common = seeds();
    common.keySet().retainAll(theirs.keySet());
    return !common.isEmpty() && theirs.entrySet().containsAll(common.entrySet());
  }

  private Map<Integer, Long> seeds() {
    Map<Integer, Long> seeds = new TreeMap<>();
    configuration.trials().forEach(trial -> seeds.put(trial.number(), trial.seed()));
    seeds.keySet().retainAll(byNumber.keySet());
    return seeds;
  }
}

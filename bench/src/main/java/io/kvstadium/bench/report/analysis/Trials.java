package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /** The names of the phases that any trial has, in order. */
  public static Set<String> phases(ConfigurationResult configuration) {
    return configuration.trials().stream()
        .flatMap(trial -> trial.phases().stream())
        .map(PhaseResult::name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
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
    figures.values().removeIf(figure -> !(other.speed(figure) > 0));
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

  /** What the figures of all trials together are extracted from. */
  public Samples samples() {
    List<TrialResult> trials =
        good(configuration).stream().filter(each -> byNumber.containsKey(each.number())).toList();
    return new Samples(trials, List.copyOf(phases()));
  }

  /**
   * Whether the phase is more than one call of its engine ({@code create}, {@code open} or {@code
   * close}).
   */
  public static boolean workload(String phase) {
    return !PhaseSpec.CALLS.contains(phase);
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
    return phases().stream().mapToDouble(measure::speed).toArray();
  }

  /** The same by trial number. */
  public Map<Integer, Double> speeds() {
    Map<Integer, Double> speeds = new TreeMap<>();
    byNumber.forEach((number, own) -> speeds.put(number, measure.speed(own)));
    return speeds;
  }

  /** The number of the trial of median speed; of two in the middle, the slower one. */
  public int medianTrial() {
    List<Map.Entry<Integer, Double>> speeds =
        speeds().entrySet().stream().sorted(Map.Entry.comparingByValue()).toList();
    return speeds.get((speeds.size() - 1) / 2).getKey();
  }
}

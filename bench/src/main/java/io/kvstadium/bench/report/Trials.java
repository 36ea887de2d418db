package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The trials of one configuration that have a figure for one phase, by number.
 *
 * @param byNumber trial number → its seed and phase
 * @param measure by which they are compared
 */
record Trials(Map<Integer, Figure> byNumber, Measure measure) {
  /** A trial's phase with the seed that its data came from. */
  record Figure(long seed, PhaseResult phase) {}

  /** Trials that did not fail. */
  static List<TrialResult> good(ConfigurationResult configuration) {
    return configuration.trials().stream().filter(trial -> trial.failure() == null).toList();
  }

  static Trials of(ConfigurationResult configuration, String phase) {
    Map<Integer, Figure> figures = new TreeMap<>();
    for (TrialResult trial : good(configuration)) {
      PhaseResult result = phase(trial, phase);
      if (result != null && result.operations() > 0 && result.nanos() > 0) {
        figures.put(trial.number(), new Figure(trial.seed(), result));
      }
    }
    return new Trials(figures, Measure.RATE);
  }

  /** The trials that have a figure by another measure. */
  Trials by(Measure other) {
    Map<Integer, Figure> figures = new TreeMap<>(byNumber);
    figures.values().removeIf(figure -> !(other.speed().applyAsDouble(figure.phase()) > 0));
    return new Trials(figures, other);
  }

  static @Nullable PhaseResult phase(TrialResult trial, String name) {
    for (PhaseResult phase : trial.phases()) {
      if (phase.name().equals(name)) {
        return phase;
      }
    }
    return null;
  }

  boolean isEmpty() {
    return byNumber.isEmpty();
  }

  List<PhaseResult> phases() {
    return byNumber.values().stream().map(Figure::phase).toList();
  }

  /** Service times of all trials together, or {@code null} if none were recorded. */
  @Nullable Latencies latencies() {
    List<PhaseResult> recorded =
        phases().stream().filter(phase -> phase.histogram() != null).toList();
    return recorded.isEmpty()
        ? null
        : Latencies.merge(
            recorded.stream().map(PhaseResult::histogram).map(Objects::requireNonNull).toList(),
            recorded.stream().mapToInt(PhaseResult::batch).max().orElse(1));
  }

  /** Whether the phase is neither {@code open} nor {@code close}. */
  static boolean workload(String phase) {
    return !phase.equals("open") && !phase.equals("close");
  }

  /**
   * Whether the phase is part of the workload that an overall verdict is on: neither {@code open}
   * nor {@code close}, nor a bulk load, which stands beside inserts and which few engines offer.
   */
  boolean counts() {
    return phases().stream()
        .allMatch(
            phase -> workload(phase.name()) && !phase.operation().equals(Operation.LOAD.word()));
  }

  /** Whether operations started at a fixed rate in any trial; a search for a rate is none. */
  boolean atFixedRate() {
    return phases().stream().anyMatch(p -> p.pace() != null && p.pace().tries().isEmpty());
  }

  /** Whether the phase is one operation in every trial. */
  boolean single() {
    return phases().stream().allMatch(phase -> phase.operations() == 1);
  }

  /** The speeds by the measure: operations per second, unless another one was asked for. */
  double[] rates() {
    return byNumber.values().stream().mapToDouble(this::speed).toArray();
  }

  /** The same by trial number. */
  Map<Integer, Double> speeds() {
    Map<Integer, Double> speeds = new TreeMap<>();
    byNumber.forEach((number, figure) -> speeds.put(number, speed(figure)));
    return speeds;
  }

  /** The trial in the middle of the order of speeds; of an even number, the slower one. */
  int typical() {
    List<Integer> numbers = new ArrayList<>(byNumber.keySet());
    numbers.sort(Comparator.comparingDouble(number -> speed(byNumber.get(number))));
    return numbers.get((numbers.size() - 1) / 2);
  }

  private double speed(@Nullable Figure figure) {
    return figure == null ? 0 : measure.speed().applyAsDouble(figure.phase());
  }

  /** Whether trials of equal number saw the same data wherever both have one, and some do. */
  boolean pairsWith(Trials other) {
    boolean any = false;
    for (Map.Entry<Integer, Figure> entry : byNumber.entrySet()) {
      Figure theirs = other.byNumber.get(entry.getKey());
      if (theirs != null && theirs.seed() != entry.getValue().seed()) {
        return false;
      }
      any |= theirs != null;
    }
    return any;
  }

  /** Whether this is faster than the other: by pairs where there are, else without. */
  Verdict against(Trials other) {
    if (!pairsWith(other)) {
      return Verdict.unpaired(rates(), other.rates());
    }
    List<Integer> common = byNumber.keySet().stream().filter(other.byNumber::containsKey).toList();
    return Verdict.paired(rates(common), other.rates(common));
  }

  private double[] rates(List<Integer> numbers) {
    return numbers.stream().mapToDouble(number -> speed(byNumber.get(number))).toArray();
  }
}

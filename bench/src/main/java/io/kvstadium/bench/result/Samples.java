package io.kvstadium.bench.result;

import io.kvstadium.bench.stats.Latencies;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.hipparchus.stat.descriptive.rank.Median;
import org.jspecify.annotations.Nullable;

/**
 * What figures are extracted from: trials of one configuration, and of each the same phase, or one
 * kind of its operations. Of several trials a figure is the median; latencies are those of all
 * their operations together. Not safe for several threads.
 */
public final class Samples {
  private final List<TrialResult> trials;
  private final List<PhaseResult> phases;
  private final @Nullable String operation;
  private final Map<Times, @Nullable Latencies> latencies = new EnumMap<>(Times.class);

  /** Times that are recorded of each operation. */
  public enum Times {
    /** What a caller waits: response times at a fixed rate, otherwise service times. */
    CALLER,
    /** From the start of an operation to its end. */
    SERVICE,
    /** From its intended start, at a fixed rate. */
    RESPONSE,
    /** Of the rate limiter: to the start of those whose thread was free in time. */
    LATENESS;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** What the names of their figures begin with. */
    public String prefix() {
      return this == CALLER ? "" : word() + "_";
    }
  }

  /**
   * @param trials those that did not fail
   * @param phases the same phase of each of them, or none for figures of whole trials
   */
  public Samples(List<TrialResult> trials, List<PhaseResult> phases) {
    this(trials, phases, null);
  }

  private Samples(List<TrialResult> trials, List<PhaseResult> phases, @Nullable String operation) {
    this.trials = List.copyOf(trials);
    this.phases = List.copyOf(phases);
    this.operation = operation;
  }

  /** The kinds of operations that were timed apart, in order; none if there is one kind. */
  public List<String> operations() {
    return phases.stream()
        .map(PhaseResult::byOperation)
        .filter(Objects::nonNull)
        .flatMap(List::stream)
        .map(OperationLatency::operation)
        .distinct()
        .toList();
  }

  /** One of them alone, of which nothing but times is known. */
  public Samples only(String kind) {
    return new Samples(List.of(), phases, kind);
  }

  /** One trial's phase. */
  public static Samples of(TrialResult trial, PhaseResult phase) {
    return new Samples(List.of(trial), List.of(phase));
  }

  /** Phases without anything of their trials. */
  public static Samples of(List<PhaseResult> phases) {
    return new Samples(List.of(), phases);
  }

  /** The median over the phases where the value is known, which is where it is not negative. */
  double each(ToDoubleFunction<PhaseResult> value) {
    return operation != null ? Double.NaN : median(phases.stream().mapToDouble(value));
  }

  /** The same over what the trials cost as a whole. */
  double cost(ToDoubleFunction<CostCard> value) {
    return median(trials.stream().map(TrialResult::card).mapToDouble(value));
  }

  /** The same over the phases that had a rate. */
  double openLoop(ToDoubleFunction<OpenLoop> value) {
    return each(phase -> phase.openLoop() == null ? -1 : value.applyAsDouble(phase.openLoop()));
  }

  /** The median of the values that are not negative, or NaN if there are none. */
  public static double median(DoubleStream values) {
    return new Median().evaluate(values.filter(value -> value >= 0).toArray());
  }

  /** An amount per count; negative if one of them is unknown. */
  public static double per(long amount, long count) {
    return amount < 0 || count <= 0 ? -1 : (double) amount / count;
  }

  /** A value of the times, NaN if it is not known or there are none. */
  double of(Times times, Function<Latencies, ? extends @Nullable Number> value) {
    Latencies known = latencies(times);
    Number found = known == null ? null : value.apply(known);
    return found == null ? Double.NaN : found.doubleValue();
  }

  /** The times of all operations together, or {@code null} if there are none. */
  public @Nullable Latencies latencies(Times times) {
    if (!latencies.containsKey(times)) {
      latencies.put(times, merged(times));
    }
    return latencies.get(times);
  }

  private @Nullable Latencies merged(Times times) {
    return switch (times) {
      case SERVICE ->
          operation != null
              ? merged(phase -> ofKind(phase, OperationLatency::histogram), 1)
              : merged(
                  PhaseResult::histogram,
                  phases.stream().mapToInt(PhaseResult::batch).max().orElse(1));
      case RESPONSE ->
          operation != null
              ? merged(phase -> ofKind(phase, OperationLatency::response), 1)
              : merged(at(OpenLoop::response), 1);
      case LATENESS -> operation != null ? null : merged(at(OpenLoop::lateness), 1);
      case CALLER ->
          latencies(
              phases.stream().anyMatch(each -> each.openLoop() != null)
                  ? Times.RESPONSE
                  : Times.SERVICE);
    };
  }

  private static Function<PhaseResult, @Nullable String> at(
      Function<OpenLoop, @Nullable String> histogram) {
    return phase -> phase.openLoop() == null ? null : histogram.apply(phase.openLoop());
  }

  private @Nullable Latencies merged(Function<PhaseResult, @Nullable String> part, int batch) {
    List<String> histograms = phases.stream().map(part).filter(Objects::nonNull).toList();
    return histograms.isEmpty() ? null : Latencies.merge(histograms, batch);
  }

  private @Nullable String ofKind(
      PhaseResult phase, Function<OperationLatency, @Nullable String> histogram) {
    return phase.byOperation() == null
        ? null
        : phase.byOperation().stream()
            .filter(each -> each.operation().equals(operation))
            .findFirst()
            .map(histogram)
            .orElse(null);
  }
}

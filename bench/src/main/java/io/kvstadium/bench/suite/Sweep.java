package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Makes the points of a sweep from an experiment. */
final class Sweep {
  /** The prefix of an engine option's name. */
  private static final String OPTION = "option.";

  private static final String PARAMETERS =
      "records, value_size, compressibility, threads, batch, keys, parallelism, scan_length,"
          + " operations, rate, or option. and the name of an engine's option";

  private Sweep() {}

  /**
   * Returns the experiment with the point's value filled in.
   *
   * @throws BadArgumentException saying what a parameter may be, if it is not a valid one
   */
  static Experiment at(Experiment experiment, SweepPoint point) {
    double value = point.value();
    String parameter = point.parameter();
    Experiment changed =
        switch (parameter) {
          case "records" -> experiment.withData(experiment.data().withRecords(whole(point)));
          case "value_size" ->
              experiment.withData(
                  experiment.data().withValueSize(new SizeDistribution.Fixed(small(point))));
          case "compressibility" ->
              experiment.withData(experiment.data().withCompressibility(value));
          case "threads" -> phases(experiment, phase -> phase.withThreads(small(point)));
          case "operations" ->
              phases(
                  experiment,
                  phase ->
                      phase.operations() > 0 ? phase.sized(whole(point), phase.seconds()) : phase);
          case "batch" ->
              phases(
                  experiment,
                  phase -> phase.shape().batch() > 1 ? phase.withBatch(small(point)) : phase);
          case "keys" ->
              shapes(
                  experiment,
                  Operation.MULTI_GET,
                  shape -> shape.withKeys(small(point), shape.parallelism()));
          case "parallelism" ->
              shapes(
                  experiment,
                  Operation.MULTI_GET,
                  shape -> shape.withKeys(shape.keys(), small(point)));
          case "scan_length" ->
              shapes(
                  experiment,
                  Operation.SCAN,
                  shape -> shape.withScanLength(new SizeDistribution.Fixed(small(point))));
          case "rate" ->
              phases(
                  experiment,
                  phase ->
                      phase.rate() == null ? phase : phase.withRate(phase.rate().absolute(value)));
          default -> option(experiment, point);
        };
    return changed.at(point);
  }

  private static Experiment option(Experiment experiment, SweepPoint point) {
    String parameter = point.parameter();
    if (!parameter.startsWith(OPTION)) {
      throw new BadArgumentException(PARAMETERS);
    }
    String text = text(point.value());
    List<Configuration> configurations = new ArrayList<>();
    for (Configuration each : experiment.configurations()) {
      Map<String, String> options = new LinkedHashMap<>(each.options());
      options.put(parameter.substring(OPTION.length()), text);
      configurations.add(each.withOptions(options));
    }
    return experiment.withConfigurations(configurations);
  }

  /** Changes the shape of the phases that have such operations. */
  private static Experiment shapes(
      Experiment experiment, Operation operation, UnaryOperator<Shape> change) {
    return phases(
        experiment,
        phase -> phase.involves(operation) ? phase.withShape(change.apply(phase.shape())) : phase);
  }

  private static Experiment phases(Experiment experiment, UnaryOperator<PhaseSpec> change) {
    return experiment.withPhases(experiment.phases().stream().map(change).toList());
  }

  private static long whole(SweepPoint point) {
    double value = point.value();
    if (value != Math.rint(value)) {
      throw new BadArgumentException(
          point.parameter() + " with whole numbers; " + text(value) + " is not one");
    }
    return (long) value;
  }

  private static int small(SweepPoint point) {
    long value = whole(point);
    if (value > Integer.MAX_VALUE) {
      throw new BadArgumentException(
          point.parameter() + " with whole numbers up to " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  /** A number without unnecessary digits. */
  static String text(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%d", (long) value)
        : Double.toString(value);
  }
}

package io.kvstadium.bench.report;

import io.kvstadium.bench.result.PhaseResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a phase cost a configuration beside time; medians over its trials, NaN where unknown.
 *
 * @param cpuNanos processor time of the whole process per operation
 * @param allocatedBytes of the Java heap per operation
 * @param gcShare of the phase's time, 0 to 1
 * @param readPerByte bytes read from the device for each byte of keys and values that was moved
 */
public record PhaseCosts(
    double cpuNanos, double allocatedBytes, double gcShare, double readPerByte) {
  static PhaseCosts of(List<PhaseResult> phases) {
    return new PhaseCosts(
        // of a phase in which no processor time was seen, none is known: some clocks tick coarsely
        median(
            phases, p -> p.cost().cpuNanos() == 0 ? -1 : per(p.cost().cpuNanos(), p.operations())),
        median(phases, p -> per(p.cost().allocatedBytes(), p.operations())),
        median(phases, p -> per(p.cost().gcNanos(), p.nanos())),
        median(phases, p -> per(p.cost().readBytes(), p.bytes())));
  }

  private static double per(long amount, long count) {
    return amount < 0 || count <= 0 ? -1 : (double) amount / count;
  }

  private static double median(List<PhaseResult> phases, ToDoubleFunction<PhaseResult> figure) {
    return Median.ofKnown(phases.stream().mapToDouble(figure));
  }
}

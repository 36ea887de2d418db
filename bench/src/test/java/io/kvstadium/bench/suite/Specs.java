package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.SizeDistribution;
import java.util.Map;

/** Parts of workloads that only tests make one by one; suites have them from their files. */
public final class Specs {
  private Specs() {}

  /** Of single operations: multi-gets of so many keys, scans of this length, no mix. */
  public static Shape shape(int keys, String scanLength) {
    return new Shape(1, keys, 1, SizeDistribution.parse(scanLength), Map.of());
  }

  /** Reads, and updates for the rest. */
  public static Map<Operation, Double> mix(double reads) {
    return Map.of(Operation.GET, reads, Operation.UPDATE, 1 - reads);
  }

  public static PhaseSpec on(Distribution distribution, PhaseSpec of) {
    return of.with(copy -> copy.distribution = distribution);
  }

  public static DataSpec values(DataSpec of, String sizes, double compressibility) {
    ValueSpec values =
        new ValueSpec(of.values().form(), SizeDistribution.parse(sizes), compressibility);
    return new DataSpec(of.records(), of.keys(), of.order(), values);
  }
}

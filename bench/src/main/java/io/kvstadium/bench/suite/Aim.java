package io.kvstadium.bench.suite;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment's reader wants to know, besides who is fastest at what.
 *
 * @param weights of phases in the overall verdict, each above 0; the others do not count. If empty,
 *     all phases that are part of the workload count equally
 * @param current the engine that the reader uses today, or {@code null}
 */
public record Aim(Map<String, Double> weights, @Nullable Current current) {
  /** Nothing else. */
  public static final Aim NONE = new Aim(Map.of(), null);

  public Aim {
    weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
  }

  /**
   * An engine in use.
   *
   * @param engine its name
   * @param store the arguments of {@code stadium import} that read its entries as they were
   *     measured, or {@code null} if they are not known
   */
  public record Current(String engine, @Nullable String store) {}

  public Aim withWeights(Map<String, Double> others) {
    return new Aim(others, current);
  }

  /** Returns a copy with the given engine in use. */
  public Aim withCurrent(Current other) {
    return new Aim(weights, other);
  }
}

package io.kvstadium.bench.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment's reader wants to know, besides who is fastest at what.
 *
 * @param weights of phases in the overall verdict, each above 0; the others do not count. If empty,
 *     all phases that are part of the workload count equally
 * @param migration the migration that the experiment's question is about, or {@code null}
 */
public record Aim(Map<String, Double> weights, @Nullable Migration migration) {
  /** Nothing else. */
  public static final Aim NONE = new Aim(Map.of(), null);

  public Aim {
    weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
  }

  /**
   * A change from one engine to another.
   *
   * @param from name of the engine in use
   * @param to name of the engine that might replace it
   */
  public record Migration(String from, String to) {}

  /** Returns a copy with the given weights. */
  public Aim withWeights(Map<String, Double> others) {
    return new Aim(others, migration);
  }
}

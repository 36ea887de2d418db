package io.kvstadium.bench.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment's reader is after, beside who is fastest at what.
 *
 * @param weights of phases in the overall verdict, each above 0; the others do not count. None: all
 *     that are part of the workload count alike
 * @param migration that the experiment's question is about, or {@code null}
 */
public record Aim(Map<String, Double> weights, @Nullable Migration migration) {
  /** Nothing else. */
  public static final Aim NONE = new Aim(Map.of(), null);

  public Aim {
    weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
  }

  /**
   * From one engine to another.
   *
   * @param from name of the engine that is used
   * @param to name of the one that might be used instead
   */
  public record Migration(String from, String to) {}

  /** With other weights. */
  public Aim withWeights(Map<String, Double> others) {
    return new Aim(others, migration);
  }
}

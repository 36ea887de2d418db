package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.draw.SizeDistribution;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one operation of a phase consists of.
 *
 * @param batch how many puts or deletes make up one atomic batch; 1 for single ones
 * @param keys how many keys one {@link Operation#MULTI_GET} asks for
 * @param parallelism how many readers may read a multi-get at once; 1 for the engine's own way
 * @param scanLength entries per {@link Operation#SCAN}
 * @param mix for {@link Operation#MIXED}: the share of each operation; they add up to 1
 */
public record Shape(
    int batch, int keys, int parallelism, SizeDistribution scanLength, Map<Operation, Double> mix) {
  /** Single operations; scans of 100 entries. */
  public static final Shape SINGLE = new Shape(1, 1, 1, new SizeDistribution.Fixed(100), Map.of());

  public Shape {
    mix = mix.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(mix));
  }

  /** Returns a copy with the given number of entries per batch. */
  public Shape withBatch(int newBatch) {
    return new Shape(newBatch, keys, parallelism, scanLength, mix);
  }

  public Shape withMix(Map<Operation, Double> newMix) {
    return new Shape(batch, keys, parallelism, scanLength, newMix);
  }
}

package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.SizeDistribution;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one operation of a phase consists of.
 *
 * @param batch how many puts or deletes make one atomic batch; 1 for single ones
 * @param keys how many keys one {@link Operation#MULTI_GET} asks for
 * @param parallelism by how many readers at once a multi-get may be read; 1 for the engine's own
 *     way
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

  /** With so many entries in a batch. */
  public Shape withBatch(int newBatch) {
    return new Shape(newBatch, keys, parallelism, scanLength, mix);
  }

  /** With multi-gets of so many keys. */
  public Shape withKeys(int newKeys, int newParallelism) {
    return new Shape(batch, newKeys, newParallelism, scanLength, mix);
  }

  /** With scans of such a length. */
  public Shape withScanLength(SizeDistribution newScanLength) {
    return new Shape(batch, keys, parallelism, newScanLength, mix);
  }

  /** With such a mix. */
  public Shape withMix(Map<Operation, Double> newMix) {
    return new Shape(batch, keys, parallelism, scanLength, newMix);
  }

  /** Reads and updates in this proportion. */
  public Shape withReadShare(double share) {
    return withMix(Map.of(Operation.GET, share, Operation.UPDATE, 1 - share));
  }
}

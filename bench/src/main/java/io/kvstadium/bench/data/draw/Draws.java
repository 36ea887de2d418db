package io.kvstadium.bench.data.draw;

/**
 * SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014), implemented here because the JDK does not promise that its generators' streams stay
 * the same.
 */
final class Draws {
  private long state;

  Draws(long seed) {
    this.state = seed;
  }

  long bits() {
    state += Mixing.GAMMA;
    return Mixing.mix(state);
  }

  /** Uniform in {@code [0, n)}. */
  long below(long n) {
    return Mixing.reduce(bits(), n);
  }

  /** Uniform in {@code [0, 1)}, in steps of 2^-53. */
  double unit() {
    return (bits() >>> 11) * 0x1p-53;
  }
}

package io.kvstadium.bench.data.draw;

/**
 * Derives seeds from seeds. Trials of all configurations share a seed so that they can be compared
 * in pairs; the phases and threads of one trial must not, or a read would ask for exactly what the
 * write before it had just left in a cache.
 */
public final class Seeds {
  private Seeds() {}

  /** The seed for a named part, such as a phase. Different names give unrelated seeds. */
  public static long derive(long seed, String part) {
    long h = Mixing.mix(seed + Mixing.GAMMA);
    for (int i = 0; i < part.length(); i++) {
      h = Mixing.mix(h ^ part.charAt(i)) + Mixing.GAMMA;
    }
    return Mixing.mix(h ^ ((long) part.length() << 32));
  }

  /** The seed for a numbered part, such as a trial or a thread. */
  public static long derive(long seed, long part) {
    return Mixing.mix(Mixing.mix(seed + Mixing.GAMMA) ^ (part * Mixing.GAMMA + 1));
  }
}

package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The look of a configuration in charts and tables. Colour, dashes and marker together distinguish
 * 64 configurations; usually two of the three suffice. The colour follows from the engine's name,
 * so an engine has the same one in every report, regardless of the others.
 */
record Key(int series) {
  private static final int COLOURS = 8;
  private static final int SERIES = 64;

  /** Chosen so that at most three of the engines that come with Stadium share a colour. */
  private static final int SEED = 480_209;

  /**
   * Returns a configuration's look. Of those that would look alike by name, the later ones get
   * other dashes and markers.
   */
  static Key of(List<ConfigurationResult> configurations, String name) {
    Set<Integer> taken = new HashSet<>();
    for (ConfigurationResult each : configurations) {
      int own = of(each.engine());
      int series = own;
      for (int i = 1; taken.contains(series) && i < SERIES; i++) {
        // other looks of this colour come first
        series = (own + COLOURS * i + i / COLOURS) % SERIES;
      }
      if (each.name().equals(name)) {
        return new Key(series);
      }
      taken.add(series);
    }
    return new Key(of(name));
  }

  private static int of(String engine) {
    int hash = (engine.hashCode() ^ SEED) * 0x9E3779B1;
    return hash >>> 26;
  }

  int colour() {
    return series % COLOURS;
  }

  int dash() {
    return (series + series / 8) % 4;
  }

  int marker() {
    return (series + 3 * (series / 8)) % 8;
  }

  /** Its style sheet classes, as written after a tag. */
  String style() {
    return "c" + colour() + ".d" + dash();
  }
}

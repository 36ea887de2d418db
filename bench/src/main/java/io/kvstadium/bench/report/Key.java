package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a configuration looks in charts and tables: colour, dashes and marker together differ for 64
 * configurations, and any two of them mostly. The colour is that of the engine's name, so that an
 * engine has the same one in every report, whoever else is there.
 */
record Key(int series) {
  private static final int COLOURS = 8;
  private static final int SERIES = 64;

  /** Chosen so that no more than three of the engines that come with Stadium share a colour. */
  private static final int SEED = 480_209;

  /** Of those that look alike by name, the later ones get other dashes and markers. */
  static Key of(List<ConfigurationResult> configurations, String name) {
    Set<Integer> taken = new HashSet<>();
    for (ConfigurationResult each : configurations) {
      int own = of(each.engine());
      int series = own;
      for (int i = 1; taken.contains(series) && i < SERIES; i++) {
        // the other looks of this colour first
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

  /** Its classes in the style sheet, as a tag has them. */
  String style() {
    return "c" + colour() + ".d" + dash();
  }
}

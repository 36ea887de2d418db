package io.kvstadium.bench.report;

import java.util.List;

/**
 * How a configuration looks in charts and tables: colour, dashes and marker together differ for 64
 * configurations, and any two of them mostly.
 */
record Key(int series) {
  static Key of(List<String> names, String name) {
    return new Key(Math.max(0, names.indexOf(name)));
  }

  int colour() {
    return series % 8;
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

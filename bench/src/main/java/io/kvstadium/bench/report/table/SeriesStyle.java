package io.kvstadium.bench.report.table;

import io.kvstadium.bench.result.ConfigurationResult;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a configuration is drawn in charts and tables. Colour, dashes and marker together distinguish
 * 96 configurations. The colour follows from the engine's name, so an engine has the same one in
 * report after report, unless another configuration of the report has it: the first twelve all have
 * their own.
 */
public record SeriesStyle(int series) {
  private static final int COLOURS = 12;

  /** Of one colour. */
  private static final int STYLES = 8;

  private static final int SERIES = STYLES * COLOURS;

  /** Chosen so that the engines that run unless others are named all want different colours. */
  private static final int SEED = 392;

  /**
   * Returns a configuration's style. Of those that want the same colour, the first gets it, and the
   * others a free one, or other dashes and markers if there is none.
   */
  public static SeriesStyle of(List<ConfigurationResult> configurations, String name) {
    Map<String, Integer> taken = new HashMap<>();
    Set<Integer> colours = new HashSet<>();
    for (ConfigurationResult each : configurations) {
      int own = of(each.plan().engine());
      if (colours.add(own % COLOURS)) {
        taken.put(each.name(), own);
      }
    }
    for (ConfigurationResult each : configurations) {
      if (!taken.containsKey(each.name())) {
        int series = free(of(each.plan().engine()), taken.values(), colours);
        colours.add(series % COLOURS);
        taken.put(each.name(), series);
      }
    }
    return new SeriesStyle(taken.getOrDefault(name, of(name)));
  }

  private static int free(int own, Collection<Integer> taken, Set<Integer> colours) {
    boolean coloursLeft = colours.size() < COLOURS;
    int series = own;
    for (int i = 1; i <= SERIES; i++) {
      if (coloursLeft ? !colours.contains(series % COLOURS) : !taken.contains(series)) {
        return series;
      }
      // with no colour left, other styles of its own come first
      series = (coloursLeft ? own + i : own + COLOURS * i + i / STYLES) % SERIES;
    }
    return own;
  }

  private static int of(String engine) {
    int hash = (engine.hashCode() ^ SEED) * 0x9E3779B1;
    return (hash >>> 16) % SERIES;
  }

  public int colour() {
    return series % COLOURS;
  }

  public int dash() {
    return (series + series / COLOURS) % 4;
  }

  public int marker() {
    return (series + 3 * (series / COLOURS)) % STYLES;
  }

  /** Its style sheet classes, as written after a tag. */
  public String style() {
    return "c" + colour() + ".d" + dash();
  }
}

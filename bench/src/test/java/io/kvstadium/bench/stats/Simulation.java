package io.kvstadium.bench.stats;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Families of equal engines, with noise of many kinds. */
final class Simulation {
  static final int ENGINES = 9;
  static final int PHASES = 7;

  /** How the logarithms of speeds are distributed. */
  enum Law {
    NORMAL,
    /** Phases and engines are noisy to different degrees. */
    UNEQUAL,
    /** Each cell has its own noise. */
    RANDOM,
    /** Student's t with four degrees of freedom. */
    HEAVY,
    /** A floor and an exponential tail. */
    TAILED,
    /** One trial in twenty is slower by two fifths. */
    OUTLIERS,
    /** One cell in twenty is four times as noisy as the others. */
    NOISY,
    /** Each round is faster or slower by up to a fifth for all. */
    DRIFTING
  }

  /**
   * An experiment.
   *
   * @param speeds as {@link Families#of} takes them
   * @param noisy whether the cell of a phase and an engine is noisy
   */
  record Experiment(
      Map<String, Map<String, Map<Integer, Double>>> speeds, Map<String, Boolean> noisy) {}

  private final Random random;

  Simulation(long seed) {
    this.random = new Random(seed);
  }

  Experiment experiment(Law law, int trials) {
    double[] phases = random.doubles(PHASES, -1.5, 1.5).toArray();
    double[] engines = random.doubles(ENGINES, -1.5, 1.5).toArray();
    Map<String, Map<String, Map<Integer, Double>>> speeds = new LinkedHashMap<>();
    Map<String, Boolean> noisy = new LinkedHashMap<>();
    for (int p = 0; p < PHASES; p++) {
      double[] rounds =
          law == Law.DRIFTING ? random.doubles(trials, -0.2, 0.2).toArray() : new double[trials];
      Map<String, Map<Integer, Double>> phase = new LinkedHashMap<>();
      for (int e = 0; e < ENGINES; e++) {
        double cell = random.nextGaussian();
        boolean loud = law == Law.NOISY && random.nextDouble() < 0.05;
        noisy.put("p" + p + " e" + e, loud);
        double scale =
            switch (law) {
              case UNEQUAL -> Math.exp(0.4 * phases[p] + 0.4 * engines[e]);
              case RANDOM -> Math.exp(0.4 * cell);
              case NOISY -> loud ? 4 : 1;
              default -> 1;
            };
        Map<Integer, Double> figures = new TreeMap<>();
        for (int trial = 1; trial <= trials; trial++) {
          figures.put(trial, 1000 * Math.exp(rounds[trial - 1] + 0.15 * scale * noise(law)));
        }
        phase.put("e" + e, figures);
      }
      speeds.put("p" + p, phase);
    }
    return new Experiment(speeds, noisy);
  }

  private double noise(Law law) {
    double normal = random.nextGaussian();
    return switch (law) {
      case HEAVY -> {
        double squares = 0;
        for (int i = 0; i < 4; i++) {
          double each = random.nextGaussian();
          squares += each * each;
        }
        yield normal / Math.sqrt(squares / 4);
      }
      case TAILED -> 6 * Math.log(1 - 0.3 * Math.log(1 - random.nextDouble()));
      case OUTLIERS -> normal - (random.nextDouble() < 0.05 ? 3.5 : 0);
      default -> normal;
    };
  }
}

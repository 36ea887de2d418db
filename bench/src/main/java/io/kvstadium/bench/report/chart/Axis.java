package io.kvstadium.bench.report.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One direction of a chart.
 *
 * @param name what it shows, with its unit if the figures are written without one
 * @param unit how figures are written
 * @param log whether it is logarithmic
 * @param low the figure at its beginning
 * @param high the figure at its end
 * @param ticks the figures to write next to it, in rising order
 */
public record Axis(
    String name, Unit unit, boolean log, double low, double high, List<Double> ticks) {
  private static final double[] STEPS = {1, 2, 5};
  private static final int MAX_TICKS = 6;

  /** How the figures of an axis are written. */
  public enum Unit {
    /** Nanoseconds. */
    TIME("ns", "µs", "ms", "s"),
    /** Operations per second. */
    RATE("/s", "k/s", "M/s", "G/s"),
    NUMBER("", "k", "M", "G", "T"),
    /** −log10(1 − fraction), so that each nine takes as much room as the one before. */
    PERCENTILE;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes an immutable one
    private final List<String> units;

    Unit(String... units) {
      this.units = List.of(units);
    }

    /** Writes a figure with as few digits as a tick needs. */
    public String text(double value) {
      if (this == PERCENTILE) {
        return BigDecimal.valueOf(100 * (1 - Math.pow(10, -value)))
            .round(new MathContext(Math.max(1, (int) Math.ceil(value))))
            .stripTrailingZeros()
            .toPlainString();
      }
      double rest = value;
      int unit = 0;
      while (rest >= 999.5 && unit < units.size() - 1) {
        rest /= 1000;
        unit++;
      }
      String digits =
          new BigDecimal(rest).round(new MathContext(3)).stripTrailingZeros().toPlainString();
      return (digits + " " + units.get(unit)).strip();
    }
  }

  /** A linear axis that ends at the given figures; ticks at multiples of 1, 2 or 5. */
  public static Axis linear(String name, Unit unit, double low, double high) {
    double end = high > low ? high : low + 1;
    double step = step((end - low) / 4);
    List<Double> ticks = new ArrayList<>();
    for (long i = (long) Math.ceil(low / step - 1e-9); i * step <= end * (1 + 1e-9); i++) {
      ticks.add(i * step);
    }
    return new Axis(name, unit, false, low, end, ticks);
  }

  /** An axis of percentiles up to a whole number of nines, with a tick at each. */
  public static Axis nines(double max) {
    int nines = (int) Math.max(1, Math.ceil(max - 1e-9));
    List<Double> ticks = IntStream.rangeClosed(0, nines).mapToObj(each -> (double) each).toList();
    return new Axis("percentile", Unit.PERCENTILE, false, 0, nines, ticks);
  }

  /** A linear axis from zero to the first tick that is not below any of the figures. */
  public static Axis fromZero(String name, Unit unit, double[] figures) {
    double max = Arrays.stream(figures).max().orElse(1);
    double step = step(max / 4);
    return linear(name, unit, 0, Math.max(step, Math.ceil(max / step - 1e-9) * step));
  }

  /** An axis with room for all figures, which are above zero: logarithmic if they are far apart. */
  public static Axis fitting(String name, Unit unit, double[] figures, boolean log) {
    double min = Arrays.stream(figures).min().orElse(1);
    double max = Arrays.stream(figures).max().orElse(1);
    if (!log) {
      double step = step(Math.max(max - min, min / 10) / 3);
      double low = Math.max(0, Math.floor(min / step - 0.2) * step);
      return linear(name, unit, low, Math.ceil(max / step + 0.2) * step);
    }
    List<Double> ticks = new ArrayList<>();
    for (int power = (int) Math.floor(Math.log10(min)); ; power++) {
      for (double factor : STEPS) {
        double tick = BigDecimal.valueOf(factor).scaleByPowerOfTen(power).doubleValue();
        if (!ticks.isEmpty() && tick <= min) {
          ticks.clear();
        }
        ticks.add(tick);
        if (tick >= max && ticks.size() > 1) {
          return new Axis(name, unit, true, ticks.getFirst(), tick, thinned(ticks));
        }
      }
    }
  }

  /** Whether the figures are so far apart that only a logarithmic axis shows them all. */
  public static boolean spans(double[] figures) {
    double min = Arrays.stream(figures).min().orElse(1);
    return Arrays.stream(figures).max().orElse(1) > 10 * min;
  }

  /** All ticks, or only powers of ten, or only some of those. */
  private static List<Double> thinned(List<Double> ticks) {
    if (ticks.size() <= MAX_TICKS) {
      return List.copyOf(ticks);
    }
    List<Double> powers =
        ticks.stream()
            .filter(tick -> Math.abs(Math.log10(tick) - Math.rint(Math.log10(tick))) < 1e-9)
            .toList();
    int every = (powers.size() + MAX_TICKS - 1) / MAX_TICKS;
    List<Double> some = new ArrayList<>();
    for (int i = 0; i < powers.size(); i += every) {
      some.add(powers.get(i));
    }
    return some;
  }

  private static double step(double atLeast) {
    double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
    for (double factor : STEPS) {
      if (factor * power >= atLeast * (1 - 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** The position of a figure: 0 at the beginning, 1 at the end. */
  double at(double figure) {
    return (position(figure) - position(low)) / (position(high) - position(low));
  }

  private double position(double figure) {
    return log ? Math.log10(figure) : figure;
  }
}

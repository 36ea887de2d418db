package io.kvstadium.bench.text;

import java.math.BigDecimal;
import java.util.Locale;

/** Writes figures for people: three digits, the unit that fits, and a dash for what is unknown. */
public final class Units {
  /** A figure that is not known. */
  public static final String MISSING = "–";

  private static final String[] TIMES = {"ns", "µs", "ms", "s"};
  private static final String[] RATES = {"/s", "k/s", "M/s", "G/s"};
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Units() {}

  /** Operations per second, such as {@code 2.41 M/s}. */
  public static String rate(double perSecond) {
    return scaled(perSecond, 1000, RATES);
  }

  /** A time given in nanoseconds, such as {@code 310 µs}. */
  public static String time(double nanos) {
    return scaled(nanos, 1000, TIMES);
  }

  /** The same for whole nanoseconds. */
  public static String time(long nanos) {
    return time((double) nanos);
  }

  /** The same for whole bytes. */
  public static String bytes(long bytes) {
    return bytes((double) bytes);
  }

  /** A size, such as {@code 1.10 GiB} or {@code 12 B}. */
  public static String bytes(double bytes) {
    return bytes < 1023.5
        ? String.format(Locale.ROOT, "%.0f B", bytes)
        : scaled(bytes, 1024, BYTES);
  }

  /**
   * A fraction as a percentage, such as {@code 4 %}; below 1 % with one decimal; above 999 %, where
   * digits say nothing any more, as {@code >999 %}.
   */
  public static String percent(double fraction) {
    if (Double.isNaN(fraction)) {
      return MISSING;
    }
    double percent = fraction * 100;
    if (percent >= 999.5) {
      return ">999 %";
    }
    return String.format(Locale.ROOT, percent < 0.95 ? "%.1f %%" : "%.0f %%", percent);
  }

  /** A number as a person writes it: {@code 1,000,000} or {@code 0.5}. */
  public static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : Double.toString(value);
  }

  /** A time in seconds, such as {@code 90 s} or {@code 3 min 05 s}. */
  public static String seconds(double seconds) {
    return seconds < 120
        ? String.format(Locale.ROOT, "%.0f s", seconds)
        : String.format(Locale.ROOT, "%d min %02d s", (long) seconds / 60, (long) seconds % 60);
  }

  /** A factor, where there is no room for its interval: {@code ×1.8} or {@code ×33}. */
  public static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 9.95 ? "×%.1f" : "×%.0f", ratio);
  }

  /** A ratio as a number. */
  public static String ratio(double ratio) {
    return Double.isNaN(ratio) ? MISSING : digits(ratio);
  }

  /** A percentile by its fraction, such as {@code p99.9}. */
  public static String level(double fraction) {
    return "p"
        + BigDecimal.valueOf(fraction).movePointRight(2).stripTrailingZeros().toPlainString();
  }

  /** Three significant digits, or all digits before the point if there are more. */
  public static String digits(double value) {
    if (value >= 99.95) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, value >= 9.995 ? "%.1f" : "%.2f", value);
  }

  private static String scaled(double value, double step, String[] units) {
    if (Double.isNaN(value)) {
      return MISSING;
    }
    double rest = value;
    int unit = 0;
    // 999.7 k/s would be written as "1000 k/s"
    while (rest >= step - 0.5 && unit < units.length - 1) {
      rest /= step;
      unit++;
    }
    return digits(rest) + " " + units[unit];
  }
}

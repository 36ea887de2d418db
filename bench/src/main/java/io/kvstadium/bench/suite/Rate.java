package io.kvstadium.bench.suite;

import io.kvstadium.store.BadArgumentException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which operations start regardless of the store: an open loop.
 *
 * @param perSecond operations per second, or 0 to search for the highest at which the limit holds
 * @param limit what must hold for a rate to count as held, or {@code null}; a search needs one
 */
public record Rate(double perSecond, @Nullable Limit limit) {
  private static final Pattern OPERATIONS = Pattern.compile("[0-9]+(\\.[0-9]+)?");

  /**
   * A bound on a percentile of the response times.
   *
   * @param level as a fraction: 0.99
   * @param nanos the maximum
   * @param sustained whether, in a search, a rate counts only if the second half of a try is like
   *     the first: no more work is left for later, and the percentile has not doubled
   */
  public record Limit(double level, long nanos, boolean sustained) {
    private static final Pattern FORM =
        Pattern.compile("p([0-9]{2})([0-9]*) ?< ?([0-9.]+) ?(us|µs|ms|s)( sustained)?");

    public Limit(double level, long nanos) {
      this(level, nanos, false);
    }

    /**
     * Reads {@code p99 < 2ms}, {@code p999 < 500us sustained} …
     *
     * @throws BadArgumentException if it is not a limit
     */
    public static Limit parse(String text) {
      Matcher form = FORM.matcher(text.trim());
      if (!form.matches()) {
        throw new BadArgumentException(
            "limit '" + text + "': give a percentile and a time, such as \"p99 < 2ms\"");
      }
      double level = Double.parseDouble("0." + form.group(1) + form.group(2));
      double unit =
          switch (form.group(4)) {
            case "s" -> 1e9;
            case "ms" -> 1e6;
            default -> 1e3;
          };
      return new Limit(
          level, Math.round(number(form.group(3), "limit", text) * unit), form.group(5) != null);
    }

    @Override
    public String toString() {
      String digits = Double.toString(level).substring(2);
      return "p"
          + (digits.length() < 2 ? digits + "0" : digits)
          + " < "
          + (nanos % 1_000_000 == 0 ? nanos / 1_000_000 + "ms" : nanos / 1_000 + "us")
          + (sustained ? " sustained" : "");
    }
  }

  /**
   * Reads {@code 5000} (operations per second) or {@code search}.
   *
   * @throws BadArgumentException if it is not a rate, or a search has no limit
   */
  public static Rate parse(String text, @Nullable Limit limit) {
    String given = text.trim();
    if (given.equals("search")) {
      if (limit == null) {
        throw new BadArgumentException("rate 'search' needs a limit: add limit = \"p99 < 2ms\"");
      }
      return new Rate(0, limit);
    } else if (OPERATIONS.matcher(given).matches()) {
      return new Rate(positive(given, given), limit);
    }
    throw new BadArgumentException(
        "rate '" + text + "': give operations per second, such as 5000, or \"search\"");
  }

  /** Whether the rate is not known yet: the highest that holds is looked for. */
  public boolean searches() {
    return perSecond == 0;
  }

  /** Returns a rate of the given number of operations per second. */
  public Rate absolute(double newRate) {
    return new Rate(newRate, limit);
  }

  private static double positive(String number, String text) {
    double value = number(number, "rate", text);
    if (!(value > 0)) {
      throw new BadArgumentException("rate '" + text + "': it must be above 0");
    }
    return value;
  }

  private static double number(String number, String what, String text) {
    try {
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      throw new BadArgumentException(what + " '" + text + "': " + number + " is not a number", e);
    }
  }
}

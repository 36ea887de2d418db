package io.kvstadium.bench.suite;

import io.kvstadium.store.BadArgumentException;
import java.math.BigDecimal;
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
  private static final Pattern OPERATIONS =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kKmM]?)(?:/s)?");

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
      long nanos = Math.round(number(form.group(3), "limit", text) * unit);
      if (nanos == 0) {
        throw new BadArgumentException(
            "limit '" + text + "': no operation takes less than 0.001us");
      }
      return new Limit(level, nanos, form.group(5) != null);
    }

    /** The form that {@link #parse} reads, without any loss. */
    @Override
    public String toString() {
      String digits = exact(BigDecimal.valueOf(level)).replaceFirst("^0\\.?", "");
      boolean inMillis = nanos % 1_000_000 == 0;
      return "p"
          + (digits + "00").substring(0, Math.max(2, digits.length()))
          + " < "
          + exact(BigDecimal.valueOf(nanos, inMillis ? 6 : 3))
          + (inMillis ? "ms" : "us")
          + (sustained ? " sustained" : "");
    }
  }

  /**
   * Reads {@code 5000} or {@code 20k} (operations per second) or {@code search}.
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
    }
    Matcher form = OPERATIONS.matcher(given);
    if (!form.matches()) {
      throw new BadArgumentException(
          "rate '" + text + "': give operations per second, such as 5000 or 20k, or \"search\"");
    }
    double unit =
        switch (form.group(2)) {
          case "k", "K" -> 1e3;
          case "m", "M" -> 1e6;
          default -> 1;
        };
    double value = number(form.group(1), "rate", text) * unit;
    if (!(value > 0 && Double.isFinite(value))) {
      throw new BadArgumentException("rate '" + text + "': it must be above 0");
    }
    return new Rate(value, limit);
  }

  /** Whether the rate is not known yet: the highest that holds is looked for. */
  public boolean searches() {
    return perSecond == 0;
  }

  /** Returns a rate of the given number of operations per second. */
  public Rate absolute(double newRate) {
    return new Rate(newRate, limit);
  }

  /** The rate without its limit, in the form that {@link #parse} reads: {@code 5000/s}. */
  public String words() {
    return searches() ? "search" : exact(BigDecimal.valueOf(perSecond)) + "/s";
  }

  @Override
  public String toString() {
    return limit == null ? words() : words() + " with " + limit;
  }

  private static String exact(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  private static double number(String number, String what, String text) {
    try {
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      throw new BadArgumentException(what + " '" + text + "': " + number + " is not a number", e);
    }
  }
}

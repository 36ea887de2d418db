package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.Arrivals;
import io.kvstadium.store.BadArgumentException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which operations start regardless of the store: an open loop.
 *
 * @param kind the meaning of {@code value}
 * @param value operations per second, bytes per second, or a share from 0 to 1; unused in a search
 * @param of for {@link Kind#SHARE}, the phase whose maximum is taken
 * @param arrivals whether the gaps between operations are constant or those of random arrivals
 * @param limit what must hold for a rate to count as held, or {@code null}; a search needs one
 */
public record Rate(
    Kind kind, double value, @Nullable String of, Arrivals.Law arrivals, @Nullable Limit limit) {
  private static final Pattern SHARE = Pattern.compile("([0-9.]+) ?% of (.+)");
  private static final Pattern BYTES = Pattern.compile("([0-9.]+) ?(k|M|G)?B/s");
  private static final Pattern OPERATIONS = Pattern.compile("[0-9]+(\\.[0-9]+)?");

  /** How the rate is given. */
  public enum Kind {
    /** Operations per second. */
    OPERATIONS,
    /** Bytes of keys and values per second. */
    BYTES,
    /**
     * A share of the smallest maximum that any configuration compared reached in another phase, so
     * that all get the same absolute rate.
     */
    SHARE,
    /** Searches for the highest rate at which the limit holds. */
    SEARCH
  }

  /**
   * A bound on a percentile of the response times.
   *
   * @param level as a fraction: 0.99
   * @param nanos the maximum
   */
  public record Limit(double level, long nanos) {
    private static final Pattern FORM =
        Pattern.compile("p([0-9]{2})([0-9]*) ?< ?([0-9.]+) ?(us|µs|ms|s)");

    /**
     * Reads {@code p99 < 2ms}, {@code p999 < 500us} …
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
      return new Limit(level, Math.round(number(form.group(3), "limit", text) * unit));
    }

    @Override
    public String toString() {
      String digits = Double.toString(level).substring(2);
      return "p"
          + (digits.length() < 2 ? digits + "0" : digits)
          + " < "
          + (nanos % 1_000_000 == 0 ? nanos / 1_000_000 + "ms" : nanos / 1_000 + "us");
    }
  }

  /**
   * Reads {@code 5000} (operations per second), {@code 20 MB/s}, {@code 70 % of read} or {@code
   * search}.
   *
   * @throws BadArgumentException if it is not a rate, or a search has no limit
   */
  public static Rate parse(String text, Arrivals.Law arrivals, @Nullable Limit limit) {
    String given = text.trim();
    Matcher share = SHARE.matcher(given);
    Matcher bytes = BYTES.matcher(given);
    if (given.equals("search")) {
      if (limit == null) {
        throw new BadArgumentException("rate 'search' needs a limit: add limit = \"p99 < 2ms\"");
      }
      return new Rate(Kind.SEARCH, 0, null, arrivals, limit);
    } else if (share.matches()) {
      double percent = positive(share.group(1), given);
      return new Rate(Kind.SHARE, percent / 100, share.group(2).trim(), arrivals, limit);
    } else if (bytes.matches()) {
      double unit =
          switch (bytes.group(2)) {
            case "k" -> 1e3;
            case "M" -> 1e6;
            case "G" -> 1e9;
            case null, default -> 1;
          };
      return new Rate(Kind.BYTES, positive(bytes.group(1), given) * unit, null, arrivals, limit);
    } else if (OPERATIONS.matcher(given).matches()) {
      return new Rate(Kind.OPERATIONS, positive(given, given), null, arrivals, limit);
    }
    throw new BadArgumentException(
        "rate '"
            + text
            + "': give operations per second, such as 5000, or \"20 MB/s\", \"70 % of read\" (a"
            + " phase's name), or \"search\"");
  }

  /** Returns a rate of the given number of operations per second. */
  public Rate absolute(double perSecond) {
    return new Rate(Kind.OPERATIONS, perSecond, null, arrivals, limit);
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

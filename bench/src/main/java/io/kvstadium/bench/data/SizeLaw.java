package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the sizes of values are distributed, in bytes. */
public sealed interface SizeLaw {
  /** All alike. */
  record Fixed(int bytes) implements SizeLaw {
    public Fixed {
      check(bytes >= 0, "Value size " + bytes + ": give 0 or more bytes");
    }

    @Override
    public double mean() {
      return bytes;
    }

    @Override
    public String toString() {
      return Integer.toString(bytes);
    }
  }

  /** Every size from {@code min} to {@code max}, both included, equally often. */
  record Uniform(int min, int max) implements SizeLaw {
    public Uniform {
      check(
          min >= 0 && max >= min && max < Integer.MAX_VALUE,
          "Value sizes " + min + ".." + max + ": give the smaller first, 0 or more");
    }

    @Override
    public double mean() {
      return (min + (double) max) / 2;
    }

    @Override
    public String toString() {
      return min + ".." + max;
    }
  }

  /**
   * Normally distributed, rounded to whole bytes, cut off at 0 and at four standard deviations.
   *
   * @param sd standard deviation
   */
  record Normal(double mean, double sd) implements SizeLaw {
    public Normal {
      check(
          mean >= 0 && sd > 0 && mean + 4 * sd < Integer.MAX_VALUE,
          "Value sizes " + mean + "±" + sd + ": give a mean of 0 or more and a deviation above 0");
    }

    @Override
    public String toString() {
      return text(mean) + "±" + text(sd);
    }

    private static String text(double number) {
      return number == (long) number ? Long.toString((long) number) : Double.toString(number);
    }
  }

  /** The mean size that was asked for. */
  double mean();

  /**
   * Reads {@code 100} (fixed), {@code 0..2000} (uniform) or {@code 50±5}, also written {@code
   * 50+-5} (normal).
   */
  static SizeLaw parse(String text) {
    Matcher m =
        Pattern.compile(
                "(\\d+)|(\\d+)\\.\\.(\\d+)|(\\d+(?:\\.\\d+)?)(?:±|\\+/?-)(\\d+(?:\\.\\d+)?)")
            .matcher(text.replace(" ", "").replace("_", ""));
    check(
        m.matches(),
        "Value size '" + text + "' is not understood: write 100, 0..2000 or 50±5 (bytes)");
    try {
      if (m.group(1) != null) {
        return new Fixed(Integer.parseInt(m.group(1)));
      }
      if (m.group(2) != null) {
        return new Uniform(Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)));
      }
      return new Normal(Double.parseDouble(m.group(4)), Double.parseDouble(m.group(5)));
    } catch (NumberFormatException e) {
      throw new BadArgumentException("Value size '" + text + "' is above 2 GiB: give less", e);
    }
  }

  private static void check(boolean condition, String message) {
    if (!condition) {
      throw new BadArgumentException(message);
    }
  }
}

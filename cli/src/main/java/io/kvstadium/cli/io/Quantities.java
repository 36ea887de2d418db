package io.kvstadium.cli.io;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.declare.Options;
import java.util.Locale;

/** Reads and writes quantities. */
public final class Quantities {
  private static final int SECONDS_PER_MINUTE = 60;

  private Quantities() {}

  public static String duration(double seconds) {
    long whole = Math.max(1, Math.round(seconds));
    return whole < 2 * SECONDS_PER_MINUTE
        ? whole + " s"
        : Math.round((double) whole / SECONDS_PER_MINUTE) + " min";
  }

  public static String entries(long count) {
    return count == 1 ? "1 entry" : String.format(Locale.ROOT, "%,d entries", count);
  }

  public static String tables(int count) {
    return count == 1 ? "1 table" : count + " tables";
  }

  /** The bytes that an option names, such as {@code 512m}. */
  public static long size(String option, String text) {
    try {
      return Options.parseSize(text);
    } catch (BadArgumentException e) {
      throw new BadArgumentException(option + " " + e.getMessage(), e);
    }
  }
}

package io.kvstadium.bench.data;

import io.kvstadium.bench.data.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.spi.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * When the operations of an open loop are meant to start: an endless stream of times for one lane.
 * All lanes together arrive at the asked rate. Needs no clock, and keeps whole nanoseconds apart
 * from fractions, so that rounding adds up to nothing.
 */
public final class Arrivals {
  /** The law of the gaps between arrivals. */
  public enum Law {
    /** All gaps alike; lanes take turns. The first arrival is at 0. */
    CONSTANT,
    /**
     * Exponential gaps, as between independent users: a Poisson process. Lanes are independent, and
     * together again such a process.
     */
    POISSON;

    /** Reads {@code constant} or {@code poisson}. */
    public static Law parse(String text) {
      for (Law law : values()) {
        if (law.text().equals(text)) {
          return law;
        }
      }
      List<String> names = Arrays.stream(values()).map(Law::text).toList();
      throw new BadArgumentException(
          "Unknown arrivals '" + text + "'" + Nearest.hint(text, names) + ": give one of " + names);
    }

    /** As {@link #parse} reads it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final double NANOS_PER_SECOND = 1e9;

  private final Law law;
  private final double gap;
  private final Draws random;

  /** The next arrival of a constant rate, or the last one of a Poisson process. */
  private long nanos;

  /** What comes on top, from 0 to below 1. */
  private double fraction;

  /**
   * @param perSecond how many arrivals of all lanes together, above 0 and at most 10^9
   * @param draws seed for the stream: different in each phase; each lane derives its own from it
   */
  public Arrivals(Law law, double perSecond, long draws, Lane lane) {
    if (!(perSecond > 0 && perSecond <= NANOS_PER_SECOND)) {
      throw new BadArgumentException(
          "A rate of " + perSecond + " operations per second: give more than 0, 10^9 at most");
    }
    this.law = law;
    this.gap = NANOS_PER_SECOND / perSecond * lane.of();
    this.random = new Draws(Seeds.derive(draws, lane.number()));
    if (law == Law.CONSTANT) {
      advance(NANOS_PER_SECOND / perSecond * lane.number());
    }
  }

  /**
   * The next intended start, in nanoseconds from the start of the phase; never less than the one
   * before. Ends with an {@link ArithmeticException} after 292 years.
   */
  public long next() {
    if (law == Law.POISSON) {
      // 1 - unit() is above 0; StrictMath, because a time must not depend on a processor.
      advance(-StrictMath.log(1 - random.unit()) * gap);
      return nanos;
    }
    long current = nanos;
    advance(gap);
    return current;
  }

  private void advance(double by) {
    fraction += by;
    long whole = (long) fraction;
    fraction -= whole;
    nanos = Math.addExact(nanos, whole);
  }
}

package io.kvstadium.bench.data.draw;

import io.kvstadium.bench.data.draw.Distribution.Lane;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The intended start times of an open loop's operations: an endless stream for one lane. All lanes
 * together arrive at the requested rate. Needs no clock. Keeps whole nanoseconds separate from
 * fractions, so that rounding errors do not accumulate.
 */
public final class Arrivals {
  /** The distribution of the gaps between arrivals. */
  public enum Law {
    /** All gaps are equal; lanes take turns. The first arrival is at 0. */
    CONSTANT,
    /**
     * Exponential gaps, as between independent users: a Poisson process. Lanes are independent, and
     * together they are again a Poisson process.
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

    /** Returns the text that {@link #parse} reads. */
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

  /** The fraction of a nanosecond on top, from 0 to below 1. */
  private double fraction;

  /**
   * @param perSecond arrivals of all lanes together, above 0 and at most 10^9
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
   * Returns the next intended start, in nanoseconds from the start of the phase; never less than
   * the previous one. Throws an {@link ArithmeticException} after 292 years.
   */
  public long next() {
    if (law == Law.POISSON) {
      // 1 - unit() is above 0; StrictMath, because a time must not depend on the processor.
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

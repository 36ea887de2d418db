package io.kvstadium.bench.stats;

import org.jspecify.annotations.Nullable;

/**
 * What the trials of two configurations show about which one is faster, in words that claim no more
 * than the data supports.
 */
public sealed interface Verdict {
  /** Engines are practically equal if the whole interval of their ratio is within this factor. */
  double TIE = 1.1;

  /** How many times slower the first of the two is, below 1 if it is faster; NaN if unknown. */
  double slowness();

  /** The interval of {@link #slowness}, or {@code null} if unknown. */
  @Nullable Interval reach();

  /** The verdict's words in reports. */
  String words();

  /**
   * Whether the first may be faster by more than a tie, as far as their trials tell. If not, there
   * is no reason to change from the second to it.
   */
  default boolean mayBeFaster() {
    Interval slower = reach();
    return slower == null || slower.reciprocal().high() > TIE;
  }

  /** The verdict on the same two with their roles swapped. */
  Verdict inverse();

  /**
   * Shown to be faster.
   *
   * @param ratio how many times faster, above 1
   * @param interval of the ratio, wholly above 1
   */
  record Faster(double ratio, Interval interval) implements Verdict {
    @Override
    public double slowness() {
      return 1 / ratio;
    }

    @Override
    public Interval reach() {
      return interval.reciprocal();
    }

    @Override
    public String words() {
      return "faster " + factor();
    }

    /** The figure alone: {@code ×1.8 [1.6, 2.0]}. */
    public String factor() {
      return Factor.words(ratio, interval);
    }

    @Override
    public Slower inverse() {
      return new Slower(ratio, interval);
    }
  }

  /**
   * Shown to be slower.
   *
   * @param ratio how many times slower, above 1
   * @param interval of that ratio, wholly above 1
   */
  record Slower(double ratio, Interval interval) implements Verdict {
    @Override
    public double slowness() {
      return ratio;
    }

    @Override
    public Interval reach() {
      return interval;
    }

    @Override
    public String words() {
      return "slower " + factor();
    }

    /** The figure alone: {@code ×1.8 [1.6, 2.0]}. */
    public String factor() {
      return Factor.words(ratio, interval);
    }

    @Override
    public Faster inverse() {
      return new Faster(ratio, interval);
    }
  }

  /**
   * Shown to be practically equal.
   *
   * @param within the factor that contains the whole interval
   */
  record Equal(double within, LogRatio ratio) implements Verdict {
    @Override
    public double slowness() {
      return ratio.value();
    }

    @Override
    public Interval reach() {
      return ratio.interval();
    }

    @Override
    public String words() {
      return "equal within " + Math.round((within - 1) * 100) + " %";
    }

    @Override
    public Equal inverse() {
      return new Equal(within, ratio.inverse());
    }
  }

  /**
   * Neither a difference nor equality is shown.
   *
   * @param ratio of the slowness, or {@code null} if it is unknown
   */
  record Undecided(@Nullable LogRatio ratio) implements Verdict {
    /** One of the two does not have two trials. */
    public static final Undecided UNKNOWN = new Undecided(null);

    private static final double SAYS_NOTHING = 100;

    @Override
    public double slowness() {
      return ratio == null ? Double.NaN : ratio.value();
    }

    @Override
    public @Nullable Interval reach() {
      return ratio == null ? null : ratio.interval();
    }

    /** How many times faster either may still be; infinite if a trial or more is missing. */
    public double max() {
      return ratio == null ? Double.POSITIVE_INFINITY : Math.exp(Math.max(ratio.high, -ratio.low));
    }

    @Override
    public String words() {
      if (ratio == null) {
        return "not decided yet: needs two trials of each";
      }
      return max() > SAYS_NOTHING
          ? "not decided yet"
          : "not decided yet: at most " + Factor.words(max()) + " either way";
    }

    @Override
    public Undecided inverse() {
      return ratio == null ? this : new Undecided(ratio.inverse());
    }
  }

  /** The logarithm of a ratio, with the ends of its interval; its inverse is exact. */
  record LogRatio(double log, double low, double high) {
    double value() {
      return Math.exp(log);
    }

    Interval interval() {
      return new Interval(Math.exp(low), Math.exp(high));
    }

    LogRatio inverse() {
      return new LogRatio(-log, -high, -low);
    }
  }
}

package io.kvstadium.bench.stats;

/**
 * What the trials of two configurations show about which one is faster, in words that claim no more
 * than the data supports.
 */
public sealed interface Verdict {
  /** Engines are practically equal if the whole interval of their ratio is within this factor. */
  double TIE = 1.1;

  /** The verdict's words in reports. */
  String words();

  /** Whether a difference or practical equality is shown. */
  default boolean decides() {
    return true;
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
  record Tie(double within) implements Verdict {
    @Override
    public String words() {
      return "tie: within " + Math.round((within - 1) * 100) + " %";
    }

    @Override
    public Tie inverse() {
      return this;
    }
  }

  /**
   * Neither a difference nor equality is shown.
   *
   * @param most how many times faster either may still be; infinite if a trial or more is missing
   */
  record NotToldApart(double most) implements Verdict {
    /** One of the two does not have two trials. */
    public static final NotToldApart UNKNOWN = new NotToldApart(Double.POSITIVE_INFINITY);

    private static final double SAYS_NOTHING = 100;

    @Override
    public boolean decides() {
      return false;
    }

    @Override
    public String words() {
      if (Double.isInfinite(most)) {
        return "not told apart: needs two trials of each";
      }
      return most > SAYS_NOTHING
          ? "not told apart"
          : "not told apart: at most " + Factor.words(most) + " either way";
    }

    @Override
    public NotToldApart inverse() {
      return this;
    }
  }
}

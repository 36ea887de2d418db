package io.kvstadium.bench.stats;

/**
 * What the trials of two configurations show about which one is faster, in words that claim no more
 * than the data carry.
 */
public sealed interface Verdict {
  /** Engines are practically equal if the whole interval of their ratio lies within this factor. */
  double TIE = 1.1;

  /** The verdict as it stands in reports. */
  String words();

  /** Whether a difference is shown, or practical equality. */
  default boolean decides() {
    return true;
  }

  /** The verdict on the same two with their places changed. */
  Verdict inverse();

  /**
   * Shown to be faster.
   *
   * @param ratio how many times, above 1
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
   * @param within the factor that the whole interval lies within
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
   * Neither is shown.
   *
   * @param most how many times faster either may still be; infinite if a trial or more is missing
   */
  record NotToldApart(double most) implements Verdict {
    /** Where one has not two trials. */
    public static final NotToldApart UNKNOWN = new NotToldApart(Double.POSITIVE_INFINITY);

    private static final double SAYS_NOTHING = 100;

    @Override
    public boolean decides() {
      return false;
    }

    @Override
    public String words() {
      if (Double.isInfinite(most)) {
        return "not told apart: takes two trials of each";
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

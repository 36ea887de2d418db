package io.kvstadium.bench.stats;

import java.util.Locale;
import java.util.OptionalInt;

/**
 * What two configurations' trials show about which one is faster, in words that claim no more than
 * the data carry.
 */
public sealed interface Verdict {
  /** Two are practically equal if the whole interval of their ratio lies within this factor. */
  double PRACTICALLY_EQUAL = 1.03;

  /** More trials than this are not counted out to the reader. */
  int COUNTED_TRIALS = 100;

  /** The verdict as it stands in reports. */
  String words();

  /** The verdict on the same two with their places changed. */
  Verdict inverse();

  /**
   * Judges whether a is faster than b by trials that saw the same data in the same order, so that
   * what the data or the moment did to both cancels. With d = ln(aᵢ / bᵢ), the interval of the
   * ratio is exp(d̄ ± t(0.975, n − 1) · s / √n): the paired t interval on logarithms, or the
   * bootstrap's where they are clearly skewed ({@link Interval.Method}).
   *
   * @param a speeds (higher is faster), one per trial
   * @param b speeds of the same trials in the same order
   */
  static Verdict paired(double[] a, double[] b) {
    return Contrast.paired(a, b).verdict();
  }

  /**
   * Judges whether a is faster than b by trials that have nothing in common, by Welch's interval on
   * logarithms (B. L. Welch, Biometrika 34, 1947): variances may differ, degrees of freedom by
   * Welch and Satterthwaite. Clearly skewed ones go by the bootstrap here as well.
   *
   * @param a speeds (higher is faster), one per trial
   * @param b speeds, one per trial
   */
  static Verdict unpaired(double[] a, double[] b) {
    return Contrast.unpaired(a, b).verdict();
  }

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

  /** Shown to be practically equal: the whole interval of the ratio lies within ± 3 %. */
  record Same() implements Verdict {
    @Override
    public String words() {
      return "same within " + Math.round((PRACTICALLY_EQUAL - 1) * 100) + " %";
    }

    @Override
    public Same inverse() {
      return this;
    }
  }

  /**
   * Nothing was shown, which is not the same as shown to be equal.
   *
   * @param n trials that could be compared
   * @param more how many more trials would decide it in every second case if what was observed were
   *     the truth; empty if n is too small to say
   */
  record NoDifference(int n, OptionalInt more) implements Verdict {
    @Override
    public String words() {
      return "no difference shown at n = " + n + "; " + outlook();
    }

    private String outlook() {
      if (more.isEmpty()) {
        return "a verdict needs at least 2 trials of each";
      }
      int trials = more.getAsInt();
      if (trials > COUNTED_TRIALS) {
        return "it would take over " + COUNTED_TRIALS + " more trials to tell";
      }
      return String.format(
          Locale.ROOT, "about %d more trial%s would tell", trials, trials == 1 ? "" : "s");
    }

    @Override
    public NoDifference inverse() {
      return this;
    }
  }
}

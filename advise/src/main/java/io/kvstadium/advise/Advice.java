package io.kvstadium.advise;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.kvstadium.bench.stats.Interval;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer.
 *
 * @param name of the configuration to take, or {@code null}
 * @param url to paste, or {@code null}
 * @param current the configuration in use, or {@code null}
 * @param percentile the one that gains are of, as a fraction, or {@code null} for the speed
 * @param gain over the configuration in use, else over the next best engine or setting
 * @param settings what each setting brought; those that were not shown to help are not in the URL
 * @param front the last few with what they cost, the best first
 * @param flips whether other circumstances lead to another answer
 * @param giveUp what to give up, if nothing meets the needs
 * @param ruledOut what cannot, with the reason
 * @param notConsidered what was not tried
 * @param workload what was measured
 * @param durability the level of all
 * @param rounds of the last few
 * @param seconds how long it took
 * @param seed of keys, values and orders
 */
public record Advice(
    Verdict verdict,
    @Nullable String name,
    @Nullable String url,
    @Nullable String current,
    @Nullable Double percentile,
    @Nullable Gain gain,
    List<Setting> settings,
    List<Row> front,
    List<Flip> flips,
    List<String> giveUp,
    List<String> ruledOut,
    List<String> notConsidered,
    String workload,
    String durability,
    int rounds,
    double seconds,
    long seed) {
  public Advice {
    settings = List.copyOf(settings);
    front = List.copyOf(front);
    flips = List.copyOf(flips);
    giveUp = List.copyOf(giveUp);
    ruledOut = List.copyOf(ruledOut);
    notConsidered = List.copyOf(notConsidered);
  }

  /** What to do. */
  public enum Verdict {
    @JsonProperty("take")
    TAKE,
    /** What is in use: nothing else can be better by more than a tenth. */
    @JsonProperty("keep")
    KEEP,
    /** Another one may be better than what is in use, which the trials could not tell. */
    @JsonProperty("undecided")
    UNDECIDED,
    /** Nothing meets the needs. */
    @JsonProperty("none")
    NONE
  }

  /** How an answer was found. */
  public enum Basis {
    @JsonProperty("measured")
    MEASURED,
    @JsonProperty("projected")
    PROJECTED,
    @JsonProperty("not measured")
    NOT_MEASURED;

    String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * A ratio of speeds.
   *
   * @param over what it is compared with
   * @param ratio above 1 if it is faster; {@code null} if it is not known
   * @param low the lower end of its interval, or {@code null}, as is {@code high}
   * @param where the experiment in which it is least
   * @param shown whether the difference is significant in all experiments
   */
  public record Gain(
      String over,
      @Nullable Double ratio,
      @Nullable Double low,
      @Nullable Double high,
      String where,
      boolean shown) {
    static Gain of(
        String over, double ratio, @Nullable Interval interval, String where, boolean shown) {
      return new Gain(
          over,
          known(ratio),
          interval == null ? null : known(interval.low()),
          interval == null ? null : known(interval.high()),
          where,
          shown);
    }

    /** The same, named after another one. */
    Gain over(String other) {
      return new Gain(other, ratio, low, high, where, shown);
    }

    /** Such as {@code ×1.40 [1.20, 1.60]}. */
    String words() {
      if (ratio == null) {
        return "unknown, for want of time";
      } else if (low == null || high == null) {
        return String.format(Locale.ROOT, "×%.2f in one trial", ratio);
      }
      String all = String.format(Locale.ROOT, "×%.2f [%.2f, %.2f]", ratio, low, high);
      return low <= 1 && high >= 1 ? "no difference shown, " + all : all;
    }
  }

  /**
   * A setting, and what is lost without it.
   *
   * @param taken whether it was shown to help, so that it is recommended
   */
  public record Setting(String setting, Gain gain, boolean taken) {}

  /**
   * A configuration's figures; {@code null} if unknown.
   *
   * @param percentile which one {@code percentileNanos} is, as a fraction
   */
  public record Row(
      String name,
      @Nullable Double perSecond,
      double percentile,
      @Nullable Double percentileNanos,
      @Nullable Long memoryBytes,
      @Nullable Long diskBytes,
      @Nullable Double writtenPerByte,
      boolean meets) {}

  /**
   * The answer in other circumstances.
   *
   * @param change such as {@code more writes}
   * @param answer in words
   */
  public record Flip(String change, String answer, Basis how) {}

  /** For a file, which has no word for what is not a number. */
  static @Nullable Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}

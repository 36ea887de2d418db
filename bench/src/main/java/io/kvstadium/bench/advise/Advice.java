package io.kvstadium.bench.advise;

import io.kvstadium.bench.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer.
 *
 * @param verdict {@code take}, {@code keep} (what is in use) or {@code none} (meets the needs)
 * @param name of the configuration to take, or {@code null}
 * @param url to paste, or {@code null}
 * @param current the configuration in use, or {@code null}
 * @param measure what gains are of: the speed, or a percentile such as {@code p99}
 * @param gain over the configuration in use, else over the next best engine or setting
 * @param settings what each setting brought
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
    String verdict,
    @Nullable String name,
    @Nullable String url,
    @Nullable String current,
    String measure,
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

  /**
   * A ratio of speeds.
   *
   * @param over what it is compared with
   * @param ratio above 1 if it is faster
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
    static Gain of(Choice.Gain gain) {
      Interval interval = gain.interval();
      return new Gain(
          gain.over(),
          known(gain.ratio()),
          interval == null ? null : known(interval.low()),
          interval == null ? null : known(interval.high()),
          gain.where(),
          gain.shown());
    }
  }

  /** A setting, and what is lost without it. */
  public record Setting(String setting, Gain gain) {}

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
   * @param how {@code measured}, {@code projected} or {@code not measured}
   */
  public record Flip(String change, String answer, String how) {}

  /** For a file, which has no word for what is not a number. */
  static @Nullable Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}

package io.kvstadium.advise;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.stats.Factor;
import io.kvstadium.bench.stats.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an advisor says.
 *
 * @param settings what each setting brought; those that were not shown to help are not in the URL
 * @param front the last few with what they cost, the best first
 * @param flips whether other circumstances lead to another answer
 */
public record Advice(
    @JsonUnwrapped Answer answer,
    List<Setting> settings,
    List<Row> front,
    List<Flip> flips,
    @JsonUnwrapped Rejected rejected,
    @JsonUnwrapped Basics basics) {
  public Advice {
    settings = List.copyOf(settings);
    front = List.copyOf(front);
    flips = List.copyOf(flips);
  }

  /**
   * The answer.
   *
   * @param name of the configuration to take, or {@code null}
   * @param url to paste, or {@code null}
   * @param current the configuration in use, or {@code null}
   * @param comparedBy what gains are of: {@code overall}, as in {@code bench}, {@code rate} where
   *     the workload has one phase, or a percentile of the response times, such as {@code p99}
   * @param gain over the configuration in use, else over the next best engine or setting
   * @param change from the configuration in use to the one that {@code gain} is of, or {@code null}
   */
  public record Answer(
      Verdict verdict,
      @Nullable String name,
      @Nullable String url,
      @Nullable String current,
      String comparedBy,
      @Nullable Gain gain,
      @Nullable Change change) {}

  /**
   * What is not among the last few.
   *
   * @param giveUp what to give up, if nothing meets the needs
   * @param ruledOut what cannot, with the reason
   * @param notConsidered what was not tried
   */
  public record Rejected(List<String> giveUp, List<String> ruledOut, List<String> notConsidered) {
    public Rejected {
      giveUp = List.copyOf(giveUp);
      ruledOut = List.copyOf(ruledOut);
      notConsidered = List.copyOf(notConsidered);
    }
  }

  /**
   * What the answer is about.
   *
   * @param workload what was measured
   * @param durability the level of all
   * @param rounds of the last few
   * @param seconds how long it took
   * @param seed of keys, values and orders
   */
  public record Basics(String workload, String durability, int rounds, double seconds, long seed) {}

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
        return Factor.words(ratio) + " in one trial";
      }
      String all = Factor.words(ratio, new Interval(low, high));
      return low <= 1 && high >= 1 ? "no difference shown, " + all : all;
    }
  }

  /**
   * What a change of the engine means besides, as {@code bench} has it.
   *
   * @param phases how much faster and slower it is, overall and at each phase; empty if there is
   *     one
   * @param lost what the engine in use has, and the other one not
   */
  public record Change(String phases, List<String> lost) {
    public Change {
      lost = List.copyOf(lost);
    }
  }

  /**
   * A setting, and what is lost without it.
   *
   * @param taken whether it was shown to help, so that it is recommended
   */
  public record Setting(String setting, Gain gain, boolean taken) {}

  /**
   * A configuration's figures.
   *
   * @param figures NaN if unknown; files have those that are known, by their names in the catalogue
   */
  public record Row(String name, @JsonIgnore Map<Figure, Double> figures, boolean meets) {
    @JsonAnyGetter
    Map<String, Object> byName() {
      Map<String, Object> byName = new LinkedHashMap<>();
      figures.forEach((figure, value) -> {
        if (Double.isFinite(value)) {
          byName.put(figure.camel(), figure.unit().raw(value));
        }
      });
      return byName;
    }
  }

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

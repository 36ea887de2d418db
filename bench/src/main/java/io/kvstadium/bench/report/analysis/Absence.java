package io.kvstadium.bench.report.analysis;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.FarBehind;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A figure that is missing, and why.
 *
 * @param what in words: {@code skipped}, {@code far behind}, or {@code trial 3 failed}
 * @param reason as it was reported
 */
public record Absence(String configuration, Kind kind, String what, String reason) {
  /** Why there is no figure. */
  public enum Kind {
    LEFT_OUT("Left out"),
    FAR_BEHIND("Far behind"),
    FAILED("Failed");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public static List<Absence> of(ExperimentResult experiment) {
    List<Absence> all = new ArrayList<>();
    for (ConfigurationResult own : experiment.configurations()) {
      if (own.skipped() != null) {
        all.add(new Absence(own.name(), Kind.LEFT_OUT, "skipped", own.skipped()));
      }
      own.trials().forEach(trial -> add(all, own.name(), trial));
    }
    FarBehind.stayed(experiment)
        .forEach((name, behind) ->
            all.add(new Absence(name, Kind.FAR_BEHIND, "far behind", behind(behind))));
    return List.copyOf(all);
  }

  /** In which way a configuration was far behind. */
  public static String behind(FarBehind own) {
    return String.format(
        Locale.ROOT,
        "one trial only, ×%.0f to ×%.0f slower than the fastest in every phase",
        own.min(),
        own.max());
  }

  private static void add(List<Absence> all, String name, TrialResult trial) {
    String number = "trial " + trial.number();
    if (trial.failure() != null) {
      all.add(new Absence(name, Kind.FAILED, number + " failed", trial.failure()));
    }
    for (PhaseResult phase : trial.phases()) {
      OpenLoop openLoop = phase.openLoop();
      // a search in which every rate broke the limit has found none
      if (openLoop != null && !openLoop.tries().isEmpty() && !openLoop.held()) {
        double lowest =
            openLoop.tries().stream().mapToDouble(OpenLoop.Try::rate).min().orElseThrow();
        String why = "no rate held " + openLoop.limit() + ", not even " + Units.rate(lowest);
        all.add(new Absence(name, Kind.FAILED, number + ", " + phase.name(), why));
      }
    }
  }
}

package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rate of a phase that was given as a share of a maximum, as found by the preliminary round
 * before the trials: the same for all configurations of a group.
 *
 * @param experiment its name
 * @param group of configurations that are compared
 * @param phase that runs at the rate
 * @param of the phase whose maximum was taken
 * @param share of the maximum
 * @param maximum the smallest that a configuration reached, in operations per second; 0 if none
 *     reached any
 * @param slowest the configuration that reached it, or {@code null} if none reached any
 * @param subject for the finding: the experiment, and the group if there are several
 */
record CalibratedRate(
    String experiment,
    String group,
    String phase,
    String of,
    double share,
    double maximum,
    @Nullable String slowest,
    String subject) {
  /** Below this, a rate is not rounded. */
  private static final double SMALL = 100;

  /**
   * Returns the rate in operations per second, as the report shows it; 0 if it could not be found.
   */
  double perSecond() {
    double exact = share * maximum;
    return exact < SMALL ? exact : Math.rint(exact);
  }

  /** Returns what a reader of the report must know. */
  Finding finding() {
    return slowest == null
        ? new Finding(
            Level.WARNING,
            subject,
            "phase "
                + phase
                + " is left out: no configuration reached a maximum of "
                + of
                + " in a preliminary round")
        : new Finding(
            Level.NOTE,
            subject,
            String.format(
                Locale.ROOT,
                "phase %s ran at %s/s: %s %% of %s/s, the smallest maximum of %s (%s) in a"
                    + " preliminary round",
                phase,
                number(perSecond()),
                percent(),
                number(maximum),
                of,
                slowest));
  }

  private String percent() {
    double percent = Math.round(share * 1000) / 10.0;
    return percent == Math.rint(percent)
        ? Long.toString(Math.round(percent))
        : Double.toString(percent);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < SMALL ? "%,.1f" : "%,.0f", value);
  }
}

package io.kvstadium.bench.result;

import io.kvstadium.bench.suite.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a phase went whose operations start at a fixed rate regardless of the store (an open loop).
 *
 * @param rate operations per second that should start; in a search, the highest rate that held, or
 *     0 if none did
 * @param held whether the store kept up: at most one operation in a hundred had not started by the
 *     end of its time, and the limit, if there is one, was kept
 * @param response times in nanoseconds from the intended start of an operation to its end, as
 *     HdrHistogram's compressed form in Base64; {@code null} if nothing held
 * @param lateness that of the rate limiter: nanoseconds from the intended to the actual start of
 *     the operations whose thread was free in time, in the same form
 * @param limit what had to hold, or {@code null}
 * @param tries the rates tried in a search, in order; otherwise empty
 */
public record OpenLoop(
    double rate,
    boolean held,
    @Nullable String response,
    @Nullable String lateness,
    Rate.@Nullable Limit limit,
    List<Try> tries) {
  public OpenLoop {
    tries = List.copyOf(tries);
  }

  /** Returns a copy of a rate that was kept, but would not have been for long. */
  public OpenLoop notHeld() {
    return new OpenLoop(rate, false, response, lateness, limit, tries);
  }

  /**
   * One rate that a search tried.
   *
   * @param rate operations per second
   * @param held whether the limit was kept at it
   * @param percentileNanos the percentile named by the limit, at this rate
   */
  public record Try(double rate, boolean held, long percentileNanos) {}
}

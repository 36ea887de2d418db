package io.kvstadium.cli.bench;

import io.kvstadium.bench.machine.OtherPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Announces, before a run, that other programs keep the processors busy, and waits for their end.
 */
final class QuietWait {
  /** Looks without a disturbance after which the machine counts as quiet. */
  private static final int QUIET_SAMPLES = 4;

  private static final double NANOS_PER_MINUTE = 60e9;

  private final DoubleSupplier share;
  private final int processors;
  private final LongSupplier nanos;
  private final PrintStream err;

  /** Watches this machine. */
  QuietWait() {
    this(
        new OtherPrograms()::share,
        Runtime.getRuntime().availableProcessors(),
        System::nanoTime,
        System.err);
  }

  /**
   * @param share of all processors' time that others take; takes a while to find out
   * @param nanos the time
   */
  QuietWait(DoubleSupplier share, int processors, LongSupplier nanos, PrintStream err) {
    this.share = share;
    this.processors = processors;
    this.nanos = nanos;
    this.err = err;
  }

  /**
   * Returns when the run may begin.
   *
   * @param minutes the longest wait; {@code null} if the user did not say
   * @param user who can be asked then, or {@code null} if nobody is there: the run itself warns
   */
  void await(@Nullable Double minutes, @Nullable InputStream user) throws IOException {
    if (minutes == null && user == null) {
      return;
    }
    double max = minutes == null ? Double.POSITIVE_INFINITY : minutes * NANOS_PER_MINUTE;
    double now = max > 0 ? share.getAsDouble() : 0;
    if (!OtherPrograms.disturb(now, processors)) {
      return;
    }
    err.println(said(now) + ": figures will be off.");
    if (minutes == null && user != null) {
      err.print("Press Enter to wait until they rest, or g and Enter to go on: ");
      err.flush();
      if (answer(user) != '\n') {
        return;
      }
      err.println("Waiting; Enter goes on.");
    }
    long begin = nanos.getAsLong();
    int quiet = 0;
    while (quiet < QUIET_SAMPLES && nanos.getAsLong() - begin < max) {
      if (user != null && user.available() > 0) {
        answer(user);
        return;
      }
      now = share.getAsDouble();
      quiet = OtherPrograms.disturb(now, processors) ? 0 : quiet + 1;
    }
    err.println(
        quiet < QUIET_SAMPLES ? "Not quiet yet: " + said(now) + "." : "The machine is quiet.");
  }

  private String said(double now) {
    return String.format(
        Locale.ROOT, "Other programs take %.1f of %d processors", now * processors, processors);
  }

  /** Reads a line; returns its first character, or the line end of an empty one. */
  private static int answer(InputStream user) throws IOException {
    int first = user.read();
    for (int c = first; c >= 0 && c != '\n'; c = user.read()) {
      // the rest of the line
    }
    return first;
  }
}

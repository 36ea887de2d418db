package io.kvstadium.cli.io;

import io.kvstadium.bench.text.Units;
import io.kvstadium.transfer.CopyProgress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows the progress of a copy on standard error: on a terminal one line that is rewritten
 * continually, elsewhere a line every ten seconds.
 */
public final class ProgressLine implements Consumer<CopyProgress>, AutoCloseable {
  private static final long DRAWN_EVERY = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long SAID_EVERY = TimeUnit.SECONDS.toNanos(10);
  private static final double NANOS = 1e9;
  private static final double PERCENT = 100;

  private final StatusLine status = new StatusLine();
  private CopyProgress.@Nullable Step step;
  private long begun;
  private long shown = System.nanoTime();

  @Override
  public void accept(CopyProgress progress) {
    long now = System.nanoTime();
    if (progress.step() != step) {
      step = progress.step();
      begun = now;
    }
    if (now - shown < (status.isShown() ? DRAWN_EVERY : SAID_EVERY)) {
      return;
    }
    shown = now;
    String line = line(progress, (now - begun) / NANOS);
    if (status.isShown()) {
      status.draw(line);
    } else {
      System.err.println(line);
    }
  }

  /** The table comes last: its name is cut where the line is too long. */
  public String line(CopyProgress progress, double seconds) {
    double done =
        progress.total() > 0 ? Math.min(1, (double) progress.entries() / progress.total()) : -1;
    return progress.step().name().toLowerCase(Locale.ROOT)
        + String.format(
            Locale.ROOT,
            ": %,d entries, %s, %s/s",
            progress.entries(),
            Units.bytes(progress.bytes()),
            Units.bytes(progress.bytes() / Math.max(seconds, 1e-3)))
        + (done <= 0
            ? ""
            : String.format(
                Locale.ROOT,
                ", %.0f %%, %s left",
                done * PERCENT,
                Quantities.duration(seconds / done - seconds)))
        + ", table "
        + progress.table();
  }

  /** Removes the line. */
  @Override
  public void close() {
    status.close();
  }
}

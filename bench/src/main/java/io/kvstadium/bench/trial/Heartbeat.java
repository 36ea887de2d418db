package io.kvstadium.bench.trial;

import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.machine.ProcessorTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a silent trial that works from one that hangs. One call of an engine can take long: a
 * commit of gigabytes, say. As long as the process uses the processor, moves bytes to or from the
 * device, or waits for the disk, the parent is told that it lives. Nothing is looked at while the
 * trial reports progress on its own.
 */
final class Heartbeat {
  /** The harness's own threads use less: they only look around a few times a second. */
  private static final double LEAST_CPU_SHARE = 0.05;

  /** An engine's housekeeping, such as a line in a log, is less. */
  private static final long LEAST_BYTES_PER_SECOND = 16 << 10;

  private static final long PERIOD_MILLIS = 1_000;
  private static final Path PROCESS = Path.of("/proc/self");

  private @Nullable Signs last;

  /**
   * What is seen of the process at one moment.
   *
   * @param nanos on the clock of {@link System#nanoTime}
   * @param cpuNanos that all its threads have used
   * @param deviceBytes that it has read from and written to devices; 0 where unknown
   * @param waitsForDisk whether one of its threads is in an uninterruptible wait in the kernel, as
   *     during a flush
   */
  record Signs(long nanos, long cpuNanos, long deviceBytes, boolean waitsForDisk) {
    static Signs now() {
      return new Signs(System.nanoTime(), Math.max(0, ProcessorTime.nanos()), bytes(), waits());
    }

    /** 0 where unknown: the processor's time must do. */
    private static long bytes() {
      DeviceIo io = DeviceIo.now();
      return Math.max(0, io.readBytes()) + Math.max(0, io.writtenBytes());
    }

    private static boolean waits() {
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROCESS.resolve("task"))) {
        for (Path thread : threads) {
          String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
          // the state follows the thread's name, which is in parentheses
          if (stat.startsWith("D", stat.lastIndexOf(')') + 2)) {
            return true;
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        return false; // not Linux, or the thread has just ended
      }
      return false;
    }
  }

  /**
   * Returns whether the process has worked since the last look; unknown, thus false, at the first.
   */
  boolean works(Signs now) {
    Signs before = last;
    last = now;
    if (before == null) {
      return false;
    }
    double nanos = Math.max(1, now.nanos - before.nanos);
    return now.waitsForDisk
        || now.cpuNanos - before.cpuNanos >= LEAST_CPU_SHARE * nanos
        || now.deviceBytes - before.deviceBytes
            >= LEAST_BYTES_PER_SECOND * nanos / TimeUnit.SECONDS.toNanos(1);
  }

  /** Called after progress: what was seen before no longer says anything. */
  void forget() {
    last = null;
  }

  /**
   * Looks once a second, for as long as the process lives.
   *
   * @param lastSent when the parent was last told something, on the clock of {@link
   *     System#nanoTime}
   */
  static void start(Consumer<Message> parent, LongSupplier lastSent) {
    Heartbeat heartbeat = new Heartbeat();
    Thread.ofPlatform()
        .daemon()
        .name("heartbeat")
        .start(() -> {
          try {
            long own = Long.MIN_VALUE;
            while (true) {
              TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
              long sent = lastSent.getAsLong();
              boolean silent =
                  sent == own
                      || System.nanoTime() - sent >= TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);
              if (!silent) {
                heartbeat.forget();
              } else if (heartbeat.works(Signs.now())) {
                parent.accept(new Message.Working());
                own = lastSent.getAsLong();
              }
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }
}

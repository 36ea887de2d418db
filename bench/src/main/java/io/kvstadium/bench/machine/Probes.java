package io.kvstadium.bench.machine;

import io.kvstadium.bench.machine.OtherPrograms.Ticks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Small measurements of the machine itself, each well below a second. */
public final class Probes {
  private static final int TIMER_READS = 2_000_000;
  private static final int SYNCS = 11;
  private static final int BLOCK = 4096;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private Probes() {}

  /** Returns the cost of one reading of {@link System#nanoTime}, in nanoseconds. */
  public static double timerNanos() {
    long begin = System.nanoTime();
    long last = begin;
    for (int i = 0; i < TIMER_READS; i++) {
      last = System.nanoTime();
    }
    return (double) (last - begin) / TIMER_READS;
  }

  /**
   * Returns the time to overwrite 4 KiB and sync them, in nanoseconds, the median of a few.
   *
   * @param directory gets a file, which is removed
   */
  static long syncNanos(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "stadium-sync", ".tmp");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      byte[] bytes = new byte[BLOCK * SYNCS];
      new Random(1).nextBytes(bytes);
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.force(true); // from here on, no length or block map changes
      long[] nanos = new long[SYNCS];
      for (int i = 0; i < SYNCS; i++) {
        ByteBuffer block = ByteBuffer.wrap(bytes, i * BLOCK, BLOCK);
        long begin = System.nanoTime();
        channel.write(block, (long) (SYNCS - 1 - i) * BLOCK);
        channel.force(false);
        nanos[i] = System.nanoTime() - begin;
      }
      return median(nanos);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** The share of all processors' time that other programs take while this one waits. */
  static double otherPrograms(OtherPrograms others) {
    Ticks before = others.now();
    long due = System.nanoTime() + LOOK_NANOS;
    for (long left = LOOK_NANOS; left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return others.now().shareSince(before);
  }

  private static long median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}

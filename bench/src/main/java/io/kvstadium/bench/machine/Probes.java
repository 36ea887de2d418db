package io.kvstadium.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.hipparchus.stat.descriptive.rank.Median;

/** Small measurements of the machine itself, each well below a second. */
public final class Probes {
  private static final int TIMER_READS = 2_000_000;
  private static final int SYNCS = 11;
  private static final int BLOCK = 4096;

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
      double[] nanos = new double[SYNCS];
      for (int i = 0; i < SYNCS; i++) {
        ByteBuffer block = ByteBuffer.wrap(bytes, i * BLOCK, BLOCK);
        long begin = System.nanoTime();
        channel.write(block, (long) (SYNCS - 1 - i) * BLOCK);
        channel.force(false);
        nanos[i] = System.nanoTime() - begin;
      }
      return Math.round(new Median().evaluate(nanos));
    } finally {
      Files.deleteIfExists(file);
    }
  }
}

package io.kvstadium.bench.machine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processor time that others take while a trial runs: not this process, and not those that it
 * started and that have ended. Threads of the kernel count, among them those that write back what
 * the trial wrote, which is little compared with a program that computes.
 */
public final class OtherPrograms {
  /** The columns of {@code /proc/stat} before those of guests, which are in the first ones too. */
  private static final int COLUMNS = 8;

  /** Any machine does less than this on its own. */
  private static final double MIN_SHARE = 0.1;

  /** The same in processors, for a machine with few of them. */
  private static final double MIN_PROCESSORS = 0.25;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int STOLEN = 7;

  /** Where, after its name, a process has its own time and that of children it has waited for. */
  private static final int OWN = 11;

  private static final int OWN_COLUMNS = 4;

  private final SystemFiles system;

  /** Watches this machine. */
  public OtherPrograms() {
    this(SystemFiles.real());
  }

  OtherPrograms(SystemFiles system) {
    this.system = system;
  }

  /**
   * Ticks of the kernel's clock so far.
   *
   * @param all of all processors, including idle ones
   * @param others that others took
   */
  public record Ticks(long all, long others) {
    /** Returns the share of the processors' time since then that others took, or 0 if unknown. */
    public double shareSince(Ticks before) {
      return all <= before.all
          ? 0
          : Math.max(0, (double) (others - before.others) / (all - before.all));
    }
  }

  /**
   * Whether a share is more than a measurement should carry.
   *
   * @param share of all processors' time, 0 to 1
   */
  public static boolean disturb(double share, int processors) {
    return share >= MIN_SHARE && share * processors >= MIN_PROCESSORS;
  }

  /** Watches for half a second; returns the share of all processors' time that others took. */
  public double share() {
    Ticks before = now();
    long due = System.nanoTime() + LOOK_NANOS;
    for (long left = LOOK_NANOS; left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return now().shareSince(before);
  }

  /** Returns the ticks so far, or none if the system does not report them. */
  public Ticks now() {
    long[] machine = numbers(system.line("/proc/stat"), "cpu ", 0, COLUMNS);
    long[] own = numbers(system.line("/proc/self/stat"), ") ", OWN, OWN_COLUMNS);
    if (machine.length < COLUMNS || own.length < OWN_COLUMNS) {
      return new Ticks(0, 0);
    }
    long all = LongStream.of(machine).sum();
    long busy = all - machine[IDLE] - machine[IO_WAIT] - machine[STOLEN];
    return new Ticks(all, busy - LongStream.of(own).sum());
  }

  /** Returns some of the numbers after the last occurrence of a mark. */
  private static long[] numbers(@Nullable String line, String after, int skipped, int count) {
    return line == null || !line.contains(after)
        ? new long[0]
        : Stream.of(line.substring(line.lastIndexOf(after) + after.length()).strip().split("\\s+"))
            .skip(skipped)
            .limit(count)
            .mapToLong(Long::parseLong)
            .toArray();
  }
}

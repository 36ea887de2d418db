package io.kvstadium.bench.machine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Processor time of this process, all its threads together or one of them.
 *
 * <p>The JDK counts it in ticks of the kernel, 10 ms each on most systems, which is more than many
 * phases take; Linux's {@code clock_gettime(CLOCK_PROCESS_CPUTIME_ID)} counts nanoseconds.
 */
@SuppressWarnings("restricted") // the launcher allows native access, which engines need too
public final class ProcessorTime {
  private static final int CLOCK_PROCESS_CPUTIME_ID = 2;

  /** Linux's clocks of threads are numbers, too: CPUCLOCK_SCHED with CPUCLOCK_PERTHREAD_MASK. */
  private static final int THREAD_CLOCK = 6;

  private static final long SECOND = 1_000_000_000L;

  private static final @Nullable MethodHandle CLOCK = clock();

  private ProcessorTime() {}

  /** Returns the time in ns since the process began, or -1 if the system does not report it. */
  public static long nanos() {
    long nanos = read(CLOCK_PROCESS_CPUTIME_ID);
    return nanos < 0 ? ticks() : nanos;
  }

  /**
   * Returns the time in ns since a thread of this process began, or -1 if it has ended or the
   * system does not report it.
   *
   * @param number Linux's number of the thread, as in {@code /proc/self/task}
   */
  static long ofThread(int number) {
    return read(~number << 3 | THREAD_CLOCK);
  }

  /** Returns a clock's time in ns, or -1 if there is no such clock. */
  private static long read(int clock) {
    if (CLOCK == null) {
      return -1;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2); // seconds, nanoseconds
      if ((int) CLOCK.invokeExact(clock, time) != 0) {
        return -1;
      }
      return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * SECOND
          + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
    } catch (Throwable e) {
      throw new IllegalStateException("the system's clock_gettime cannot be called", e);
    }
  }

  private static long ticks() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : -1;
  }

  private static @Nullable MethodHandle clock() {
    if (!System.getProperty("os.name").equals("Linux") || ValueLayout.ADDRESS.byteSize() != 8) {
      return null; // other numbers and other structures
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("clock_gettime")
        .map(address ->
            linker.downcallHandle(
                address,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)))
        .orElse(null);
  }
}

package io.kvstadium.bench.measure;

import com.sun.management.ThreadMXBean;
import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.OperationLatency;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one thread of a phase measures, whoever runs its operations: latencies, throughput, counts.
 * {@link #phase} makes the phase's result of the meters of all its threads.
 */
public final class Meter {
  private static final int SIGNIFICANT_DIGITS = 3;

  private static final @Nullable ThreadMXBean THREADS =
      ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
              && bean.isThreadAllocatedMemorySupported()
              && bean.isCurrentThreadCpuTimeSupported()
          ? bean
          : null;

  private final List<String> kinds;
  private final Times all = new Times();
  private final List<@Nullable Times> byKind;
  private final Histogram lateness = histogram();
  private final ThroughputRecorder throughput;
  private final Checks checks = new Checks();
  private long operations;
  private long nanos;
  private long unstarted;
  private long allocatedBytes = -1;
  private long allocatedBefore;
  private long harnessNanos; // of processor time, outside of timed parts
  private long cpuBefore = -1;

  private static final class Times {
    final Histogram service = histogram();
    final Histogram response = histogram();

    void add(Times other) {
      service.add(other.service);
      response.add(other.response);
    }
  }

  /**
   * @param kinds of operations that are told apart; none or one if they are not
   * @param origin when the phase began, on the clock of {@link System#nanoTime}
   */
  public Meter(List<String> kinds, long origin) {
    this.kinds = kinds;
    this.byKind = new ArrayList<>(Collections.nCopies(kinds.size(), null));
    this.throughput = new ThroughputRecorder(origin);
  }

  private static Histogram histogram() {
    return new Histogram(SIGNIFICANT_DIGITS);
  }

  private @Nullable Times of(int kind) {
    if (kinds.size() < 2 || kind < 0) {
      return null;
    }
    Times known = byKind.get(kind);
    if (known == null) {
      known = new Times();
      byKind.set(kind, known);
    }
    return known;
  }

  /** What was read and written; also for whoever checks it. */
  public Checks checks() {
    return checks;
  }

  /** How many operations have ended. */
  public long operations() {
    return operations;
  }

  /** How long the timed parts took. */
  public long nanos() {
    return nanos;
  }

  /** Operations that were not timed one by one, and how long they took. */
  public void add(long count, long took) {
    operations += count;
    nanos += took;
  }

  /** When so many of the operations that are counted elsewhere ended, and how long they took. */
  public void ended(long at, long count, long took) {
    throughput.add(at, count, took);
  }

  /** How long so many of the operations that are counted elsewhere took each. */
  public void took(long latency, long count) {
    all.service.recordValueWithCount(latency, count);
  }

  /** So many operations of those that are counted elsewhere were due so long before they ended. */
  public void responded(long response, long count) {
    all.response.recordValueWithCount(response, count);
  }

  /** So many operations began so long after they were due, though their thread was free. */
  public void late(long nanos, long count) {
    lateness.recordValueWithCount(nanos, count);
  }

  /** So many of those that were due never began; their responses are counted elsewhere. */
  public void notBegun(long count) {
    unstarted += count;
  }

  /** What its thread allocated in timed parts. */
  public void allocated(long bytes) {
    allocatedBytes = Math.max(0, allocatedBytes) + bytes;
  }

  /** One operation; times are those of {@link System#nanoTime}. */
  public void one(int kind, long began, long ended) {
    all.service.recordValue(ended - began);
    Times own = of(kind);
    if (own != null) {
      own.service.recordValue(ended - began);
    }
    add(1, ended - began);
    throughput.add(ended, 1, ended - began);
  }

  /**
   * The operation was due.
   *
   * @param kind its number, or -1 if its response counts for no kind
   * @param intended when
   * @param free whether its thread was free by then, and waited for the rate limiter
   */
  public void due(int kind, long intended, boolean free, long began, long ended) {
    long response = Math.max(0, ended - intended);
    all.response.recordValue(response);
    Times own = of(kind);
    if (own != null) {
      own.response.recordValue(response);
    }
    if (free) {
      lateness.recordValue(Math.max(0, began - intended));
    }
  }

  /**
   * An operation was due after the time was over.
   *
   * @param late at least so many nanoseconds, which a caller would have waited
   */
  public void unstarted(long late) {
    all.response.recordValue(Math.max(0, late));
    unstarted++;
  }

  /** Its thread did nothing for so long, and no thread of the phase did. */
  void paused(long took) {
    throughput.paused(took);
  }

  /** A block that has just run. */
  void add(Block block) {
    add(block.done(), block.nanos());
    throughput.add(block.ended(), block.done(), block.nanos());
    boolean halves = block.hasHalves();
    long began = block.began();
    for (int c = 0; c < block.timed(); c++) {
      long took = block.latency(c);
      all.service.recordValue(took);
      Times own = block.together() > 1 || halves ? null : of(block.kind(c));
      if (own != null) {
        own.service.recordValue(took);
      }
      if (halves && block.firstEnded(c) != 0) {
        long first = block.firstEnded(c) - began;
        half(0, first);
        half(1, took - first);
      }
      began += took;
    }
  }

  /** A block of one operation that was due. */
  void due(Block block, long intended, boolean free) {
    add(block);
    due(block.hasHalves() ? -1 : block.kind(0), intended, free, block.began(), block.ended());
  }

  private void half(int kind, long took) {
    Times own = of(kind);
    if (own != null) {
      own.service.recordValue(Math.max(0, took));
    }
  }

  // ---- what its thread uses ----

  /** Processor time of the calling thread, or 0 if it is not known. */
  static long threadNanos() {
    return THREADS == null ? 0 : THREADS.getCurrentThreadCpuTime();
  }

  /** Processor time for what is not timed, where its thread does not say when that begins. */
  void harness(long cpuNanos) {
    harnessNanos += cpuNanos;
  }

  /** Processor time outside of timed parts. */
  long harnessNanos() {
    return harnessNanos;
  }

  /** Called by its thread when it begins, and with what is not timed between two timed parts. */
  void untimed() {
    if (THREADS != null) {
      long now = THREADS.getCurrentThreadCpuTime();
      harnessNanos += cpuBefore < 0 ? 0 : now - cpuBefore;
      cpuBefore = now;
      allocatedBytes = Math.max(0, allocatedBytes);
      allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    }
  }

  /** Called by its thread when a timed part has ended. */
  void timed() {
    if (THREADS != null) {
      allocatedBytes += THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
      cpuBefore = THREADS.getCurrentThreadCpuTime();
    }
  }

  // ---- the phase ----

  /**
   * The result of a phase: the only place that makes one of what was measured.
   *
   * @param meters of its threads
   * @param nanos how long it took, without what is not timed
   * @param together how many operations were timed together
   * @param used by the process meanwhile
   * @param observer of the phase, or {@code null} if nothing was observed
   * @throws TrialFailure if something was wrong with what was read, or nothing was done
   */
  public static PhaseResult phase(
      PhaseSpec spec,
      List<Meter> meters,
      long nanos,
      int together,
      Usage used,
      @Nullable Observer observer) {
    Meter sum = sum(meters);
    check(spec.name(), sum);
    Rate rate = spec.rate();
    boolean oneByOne = sum.all.service.getTotalCount() > 0;
    return PhaseResult.of(spec.name(), spec.operation().word(), sum.operations, Math.max(1, nanos))
        .with(of -> {
          of.threads = meters.size();
          of.entries = sum.checks.entries;
          of.bytes = sum.checks.bytes;
          of.batch = oneByOne ? together : (int) Math.min(sum.operations, Integer.MAX_VALUE);
          of.cost =
              new Cost(
                  // a rate limiter spins: the process's time then says nothing about the store
                  used.cpuNanos() < 0 || rate != null
                      ? -1
                      : Math.max(0, used.cpuNanos() - sum.harnessNanos),
                  used.gcNanos(),
                  sum.allocatedBytes,
                  used.readBytes(),
                  -1,
                  used.compileNanos(),
                  used.elapsedNanos());
          if (oneByOne) {
            of.histogram = EncodedHistogram.of(sum.all.service);
            of.timeline =
                ThroughputRecorder.merge(
                    meters.stream().map(each -> each.throughput).toList(), observer);
            of.byOperation = sum.byOperation();
          }
          of.openLoop = rate == null ? null : sum.openLoop(rate);
        });
  }

  /** How long a phase took without what is not timed, by the rates of its threads. */
  public static long nanos(List<Meter> meters) {
    long operations = meters.stream().mapToLong(Meter::operations).sum();
    return Math.max(1, Math.round(operations / rate(meters)));
  }

  /** Operations per nanosecond of all threads, each while it was in timed parts. */
  static double rate(List<Meter> meters) {
    return meters.stream()
        .mapToDouble(each -> each.operations / (double) Math.max(1, each.nanos))
        .sum();
  }

  private static Meter sum(List<Meter> meters) {
    Meter sum = new Meter(meters.getFirst().kinds, 0);
    for (Meter each : meters) {
      sum.operations += each.operations;
      sum.nanos += each.nanos;
      sum.unstarted += each.unstarted;
      sum.allocatedBytes = plus(sum.allocatedBytes, each.allocatedBytes);
      sum.harnessNanos += each.harnessNanos;
      sum.checks.add(each.checks);
      sum.all.add(each.all);
      sum.lateness.add(each.lateness);
      for (int kind = 0; kind < sum.kinds.size(); kind++) {
        Times own = each.byKind.get(kind);
        Times all = own == null ? null : sum.of(kind);
        if (own != null && all != null) {
          all.add(own);
        }
      }
    }
    return sum;
  }

  private static long plus(long sum, long bytes) {
    return bytes < 0 ? sum : Math.max(0, sum) + bytes;
  }

  private @Nullable List<OperationLatency> byOperation() {
    List<OperationLatency> each = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      Times own = byKind.get(kind);
      if (own != null) {
        each.add(
            new OperationLatency(
                kinds.get(kind),
                own.service.getTotalCount(),
                EncodedHistogram.of(own.service),
                own.response.getTotalCount() > 0 ? EncodedHistogram.of(own.response) : null));
      }
    }
    return each.size() < 2 ? null : each;
  }

  private OpenLoop openLoop(Rate rate) {
    return new OpenLoop(
        rate.perSecond(),
        held(unstarted, all.response, rate.limit()),
        EncodedHistogram.of(all.response),
        EncodedHistogram.of(lateness),
        rate.limit(),
        List.of());
  }

  /** Whether all but one in a hundred operations started in time, and the limit is kept. */
  static boolean held(long unstarted, Histogram response, Rate.@Nullable Limit limit) {
    return unstarted * 100 <= Math.max(1, response.getTotalCount())
        && (limit == null || response.getValueAtPercentile(limit.level() * 100) <= limit.nanos());
  }

  /** So many operations of all threads were due in all: for one that was ended when others were. */
  static void due(List<Meter> meters, long operations) {
    long responses = meters.stream().mapToLong(each -> each.all.response.getTotalCount()).sum();
    meters.forEach(each -> each.unstarted = 0);
    meters.getFirst().unstarted = Math.max(0, operations - responses);
  }

  private static void check(String phase, Meter sum) {
    Checks checks = sum.checks;
    String wrong =
        checks.firstWrong != null
            ? ": " + checks.firstWrong
            : checks.misses > 0
                ? ": "
                    + checks.misses
                    + " of "
                    + sum.operations
                    + " reads missed keys that had been written"
                : sum.operations == 0 ? " did nothing: there is nothing to work on" : null;
    if (wrong != null) {
      throw new TrialFailure("phase " + phase + wrong, null);
    }
  }

  /** The same for what was measured so far. */
  public void check(String phase) {
    check(phase, this);
  }
}

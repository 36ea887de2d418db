package io.kvstadium.bench.result;

import static io.kvstadium.bench.result.Figure.Better.HIGHER;
import static io.kvstadium.bench.result.Figure.Better.LOWER;
import static io.kvstadium.bench.result.Figure.Better.NONE;
import static io.kvstadium.bench.result.Samples.per;
import static io.kvstadium.bench.text.Unit.BYTES;
import static io.kvstadium.bench.text.Unit.COUNT;
import static io.kvstadium.bench.text.Unit.FLAG;
import static io.kvstadium.bench.text.Unit.RATIO;
import static io.kvstadium.bench.text.Unit.SHARE;
import static io.kvstadium.bench.text.Unit.TIME;

import io.kvstadium.bench.result.Figure.Better;
import io.kvstadium.bench.result.Samples.Times;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.text.Unit;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every figure there is, once: reports, files, comparisons and {@code advise} take them from this
 * list, and a test compares it with the table in {@code docs/results-schema.md}, which says what
 * they mean.
 */
public final class Figures {
  public static final Figure RATE =
      phase(
          "ops_per_second",
          "rate",
          Unit.RATE,
          HIGHER,
          p -> p.operations() > 0 && p.nanos() > 0 ? p.rate() : -1);
  public static final Figure NANOS_PER_OPERATION =
      phase("nanos_per_operation", "time", TIME, LOWER, p -> per(p.nanos(), p.operations()));
  // if no processor time was seen in a phase, it is unknown: some clocks tick coarsely
  public static final Figure CPU =
      phase(
          "cpu_nanos_per_operation",
          "CPU /op",
          TIME,
          LOWER,
          p -> p.cost().cpuNanos() == 0 ? -1 : per(p.cost().cpuNanos(), p.operations()));
  public static final Figure ALLOCATED =
      phase(
          "allocated_bytes_per_operation",
          "heap /op",
          BYTES,
          LOWER,
          p -> per(p.cost().allocatedBytes(), p.operations()));
  public static final Figure GC_SHARE =
      phase("gc_share", "in GC", SHARE, LOWER, PhaseResult::gcShare);
  public static final Figure JIT_SHARE =
      phase("compile_share", "", SHARE, LOWER, PhaseResult::compileShare);
  public static final Figure READ_PER_BYTE =
      phase("read_per_byte", "read /byte", RATIO, LOWER, p -> per(p.cost().readBytes(), p.bytes()));
  public static final Figure FLUSHES =
      phase(
          "flushes_per_operation",
          "flushes /op",
          RATIO,
          LOWER,
          p -> per(p.cost().flushes(), p.operations()));
  public static final Figure BUSY_SHARE =
      phase(
          "busy_share",
          "",
          SHARE,
          NONE,
          p ->
              p.openLoop() != null || p.timeline() == null
                  ? -1
                  : p.timeline().busyShare(p.threads()));
  public static final Figure ASKED_RATE =
      new Figure(
          "asked_rate", "rate wanted", true, Unit.RATE, HIGHER, s -> s.openLoop(OpenLoop::rate));

  public static final Figure DISK =
      trial("disk_at_rest_bytes", "on disk", BYTES, LOWER, c -> c.sizes().resting());
  public static final Figure SETTLE_NANOS =
      trial("settle_nanos", "settling", TIME, LOWER, c -> c.settling().settleNanos());
  public static final Figure MEMORY =
      trial("anonymous_bytes", "memory", BYTES, LOWER, c -> c.memory().anonymousBytes());
  public static final Figure WRITTEN =
      trial(
          "written_per_put",
          "written/put",
          RATIO,
          LOWER,
          c -> per(c.traffic().writtenBytes(), c.traffic().movedBytes()));

  /** The percentiles that have a figure, as fractions. */
  private static final List<Double> LEVELS = List.of(0.5, 0.9, 0.95, 0.99, 0.999, 0.9999);

  private static final Map<Times, List<Figure>> TIMES = new EnumMap<>(Times.class);

  static {
    Stream.of(Times.values()).forEach(times -> TIMES.put(times, times(times)));
  }

  /** All of them, in the order of files. */
  public static final List<Figure> ALL =
      Stream.of(ofPhases(), TIMES.values().stream().flatMap(List::stream).toList(), ofTrials())
          .flatMap(List::stream)
          .toList();

  public static final Figure P99 = named("p99");

  /** Those that a table of a phase's figures has besides the one that it is compared by. */
  public static final List<Figure> COSTS_OF_PHASE =
      List.of(CPU, ALLOCATED, GC_SHARE, READ_PER_BYTE, FLUSHES);

  /** Those that a table of trials' costs has. */
  public static final List<Figure> COSTS_OF_TRIAL =
      ALL.stream()
          .filter(each -> !each.ofPhase() && !each.equals(DISK) && !each.head().isEmpty())
          .toList();

  /** Those that runs are compared by, besides the one of each phase. */
  public static final List<Figure> COMPARED =
      List.of(P99, named("p999"), CPU, DISK, MEMORY, WRITTEN);

  private Figures() {}

  private static List<Figure> ofPhases() {
    return List.of(
        phase("operations", "", COUNT, NONE, PhaseResult::operations),
        phase("nanos", "", TIME, NONE, PhaseResult::nanos),
        phase("threads", "", COUNT, NONE, PhaseResult::threads),
        phase("entries", "", COUNT, NONE, PhaseResult::entries),
        phase("bytes", "", BYTES, NONE, PhaseResult::bytes),
        phase("batch", "", COUNT, NONE, PhaseResult::batch),
        RATE,
        NANOS_PER_OPERATION,
        phase("cpu_nanos", "", TIME, NONE, p -> p.cost().cpuNanos()),
        CPU,
        phase("gc_nanos", "", TIME, NONE, p -> p.cost().gcNanos()),
        GC_SHARE,
        phase("compile_nanos", "", TIME, NONE, p -> p.cost().compileNanos()),
        JIT_SHARE,
        phase("allocated_bytes", "", BYTES, NONE, p -> p.cost().allocatedBytes()),
        ALLOCATED,
        phase("read_bytes", "", BYTES, NONE, p -> p.cost().readBytes()),
        READ_PER_BYTE,
        phase("flushes", "", COUNT, NONE, p -> p.cost().flushes()),
        FLUSHES,
        BUSY_SHARE,
        ASKED_RATE,
        new Figure("held", "held in", true, FLAG, HIGHER, s -> s.openLoop(o -> o.held() ? 1 : 0)),
        phase(
            "diverged",
            "",
            SHARE,
            LOWER,
            p -> p.divergence() == null ? -1 : p.divergence().share()));
  }

  private static List<Figure> ofTrials() {
    return List.of(
        DISK,
        trial("disk_bytes", "disk at stop", BYTES, LOWER, c -> c.sizes().diskBytes()),
        trial("live_bytes", "", BYTES, NONE, c -> c.sizes().liveBytes()),
        trial(
            "disk_per_live",
            "disk/live",
            RATIO,
            LOWER,
            c -> per(c.sizes().diskBytes(), c.sizes().liveBytes())),
        trial("closed_disk_bytes", "disk closed", BYTES, LOWER, c -> c.sizes().closedDiskBytes()),
        trial("closed_live_bytes", "", BYTES, NONE, c -> c.sizes().closedLiveBytes()),
        trial(
            "closed_disk_per_live",
            "closed/live",
            RATIO,
            LOWER,
            c -> per(c.sizes().closedDiskBytes(), c.sizes().closedLiveBytes())),
        SETTLE_NANOS,
        trial(
            "stable",
            "",
            FLAG,
            HIGHER,
            c -> c.settling().settleNanos() < 0 ? -1 : c.settling().stable() ? 1 : 0),
        MEMORY,
        trial("file_bytes", "file-backed", BYTES, LOWER, c -> c.memory().fileBytes()),
        trial("peak_bytes", "peak", BYTES, LOWER, c -> c.memory().peakBytes()),
        trial("device_read_bytes", "read", BYTES, LOWER, c -> c.traffic().readBytes()),
        trial("device_written_bytes", "written", BYTES, LOWER, c -> c.traffic().writtenBytes()),
        trial("moved_bytes", "", BYTES, NONE, c -> c.traffic().movedBytes()),
        WRITTEN);
  }

  private static Figure phase(
      String name, String head, Unit unit, Better better, ToDoubleFunction<PhaseResult> value) {
    return new Figure(name, head, true, unit, better, samples -> samples.each(value));
  }

  private static Figure trial(
      String name, String head, Unit unit, Better better, ToDoubleFunction<CostCard> value) {
    return new Figure(name, head, false, unit, better, samples -> samples.cost(value));
  }

  /** The figures of times of one kind. */
  public static List<Figure> of(Times times) {
    return TIMES.getOrDefault(times, List.of());
  }

  /** A percentile without enough samples is not known; of batches there is only the mean. */
  private static List<Figure> times(Times times) {
    List<Figure> all = new ArrayList<>();
    all.add(time(times, "samples", "", COUNT, NONE, Latencies::samples));
    all.add(time(times, "min", "", TIME, LOWER, Latencies::min));
    all.add(time(times, "mean", "mean", TIME, LOWER, Latencies::meanPerOperation));
    for (double level : LEVELS) {
      String name = Units.level(level);
      String head = level == 0.9 ? "" : name; // a seventh would not fit into the lines of a screen
      all.add(time(times, name.replace(".", ""), head, TIME, LOWER, own -> own.at(level)));
    }
    all.add(time(times, "max", "max", TIME, LOWER, Latencies::max));
    return all;
  }

  private static Figure time(
      Times times,
      String name,
      String head,
      Unit unit,
      Better better,
      Function<Latencies, ? extends @Nullable Number> value) {
    return new Figure(
        times.prefix() + name, head, true, unit, better, samples -> samples.of(times, value));
  }

  /** A percentile of the response times at a fixed rate, however few samples are beyond it. */
  public static Figure response(double level) {
    return percentile(Times.RESPONSE, level);
  }

  /** The percentile of what a caller waits: that of the list, or one that is not in it. */
  public static Figure percentile(double level) {
    return LEVELS.contains(level)
        ? named(Units.level(level).replace(".", ""))
        : percentile(Times.CALLER, level);
  }

  private static Figure percentile(Times times, double level) {
    return new Figure(
        times.prefix() + Units.level(level).replace(".", ""),
        Units.level(level),
        true,
        TIME,
        LOWER,
        samples ->
            samples.each(own -> {
              String histogram = histogram(own, times);
              return histogram == null ? -1 : Math.max(1, Latencies.percentile(histogram, level));
            }));
  }

  private static @Nullable String histogram(PhaseResult phase, Times times) {
    OpenLoop openLoop = phase.openLoop();
    return openLoop != null
        ? openLoop.response()
        : times == Times.RESPONSE || phase.batch() > 1 ? null : phase.histogram();
  }

  public static Figure named(String name) {
    return ALL.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no figure is called " + name));
  }
}

package io.kvstadium.bench.run;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.GeneratedWorkset.Order;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.bench.worker.Languages;
import io.kvstadium.bench.worker.WorkerProgram;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.engine.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Checks a worker of another language against docs/workers.md. */
public final class WorkerCheck {
  private static final long SECONDS = 60;
  private static final long SEED = 77;
  private static final int RECORDS = 700;
  private static final int SHOWN = 20;
  private static final Set<String> CHUNKED = Set.of("update", "get", "zipf");

  private final WorkerProgram worker;
  private final Path directory;
  private final Consumer<String> say;
  private final ForkedExecutor executor;
  private int trials;
  private boolean passed = true;

  /**
   * @param directory that it may fill
   * @param say receives the outcome of each check
   */
  public WorkerCheck(WorkerProgram worker, Path directory, Consumer<String> say) {
    this.worker = worker;
    this.directory = directory;
    this.say = say;
    Languages languages =
        new Languages(Engines.of(List.of()), List.of(worker.language()), List.of(worker));
    this.executor = new ForkedExecutor(SECONDS, null, directory, languages);
  }

  /** Returns whether everything is as it should be. */
  public boolean run() throws IOException {
    check("describes itself: " + worker.hello().version(), null);
    entries();
    for (Engine engine : worker.engines().all()) {
      String name = engine.info().name();
      String unavailable = engine.unavailable();
      if (unavailable != null) {
        say.accept("skipped engine " + name + ": " + unavailable);
      } else {
        check("runs a trial of engine " + name, trial(engine));
      }
    }
    check("says why a trial fails", unknownEngine());
    check("ends when its parent does", orphan());
    return passed;
  }

  private void check(String what, @Nullable String fault) {
    passed &= fault == null;
    say.accept(fault == null ? "passed: " + what : "FAILED: " + what + ": " + fault);
  }

  private static List<DataSpec> data() {
    return List.of(
        data("uint32", Order.SEQUENTIAL, ValueSpec.text(SizeDistribution.parse("38..2038"))),
        data("uint64", Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse("0..40"))),
        data("digits:8", Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse("10"))),
        data("random-string:20", Order.RANDOM, ValueSpec.text(SizeDistribution.parse("1000"))),
        data("random-string:5..14", Order.SEQUENTIAL, ValueSpec.text(SizeDistribution.parse("7"))),
        data("random-bytes:16", Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse("40..60"))),
        data("random-bytes:3", Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse("140000"))),
        data(
            "random-bytes:9..21",
            Order.RANDOM,
            ValueSpec.bytes(SizeDistribution.parse("pareto:25.45,0.2615"))),
        data("random-bytes", Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse("20..40"))));
  }

  private static DataSpec data(String keys, Order order, ValueSpec values) {
    return new DataSpec(RECORDS, KeySpec.parse(keys), order, values);
  }

  /** Some are timed one by one, and some in chunks. */
  private static int chunk(PhaseSpec phase) {
    return CHUNKED.contains(phase.name()) ? TrialPlan.CHUNK : 1;
  }

  private TrialPlan plan(String engine, DataSpec data, List<PhaseSpec> phases) {
    Configuration configuration =
        new Configuration(engine, engine, Map.of(), Durability.NONE, Access.SINGLE, "equal")
            .in(worker.language());
    Map<String, Integer> chunks = new HashMap<>();
    phases.forEach(each -> chunks.put(each.name(), chunk(each)));
    Path own = directory.resolve("trial " + ++trials);
    return new TrialPlan(configuration, 1, SEED, own.toString(), data, null, phases, 0, chunks);
  }

  // ---- entries ---------------------------------------------------------------------------------

  private void entries() throws IOException {
    List<DataSpec> all = data();
    List<String> shown = new ArrayList<>();
    TrialProcess process =
        new TrialProcess(worker.command("entries"), directory.resolve("entries.txt"), SECONDS);
    try (process) {
      process.send(all.stream().map(each -> plan("null", each, List.of())).toList());
      process.listen(
          Message.Done.class,
          Message.Done.class,
          message -> {
            if (message instanceof Message.Entry(String key, String value)) {
              shown.add(key + " " + value);
            }
          },
          () -> {});
    }
    for (int d = 0; d < all.size(); d++) {
      DataSpec data = all.get(d);
      check(
          "makes the entries of keys %s, values %s".formatted(data.keys(), data.values().sizes()),
          difference(
              expected(data.workset(SEED)),
              shown.stream().skip(2L * SHOWN * d).limit(2 * SHOWN).toList()));
    }
    if (!passed) {
      say.accept(process.lastWords());
    }
  }

  private static @Nullable String difference(List<String> expected, List<String> shown) {
    for (int i = 0; i < expected.size(); i++) {
      String got = i < shown.size() ? shown.get(i) : "missing";
      if (!got.equals(expected.get(i))) {
        return "entry %d is %s instead of %s".formatted(i, cut(got), cut(expected.get(i)));
      }
    }
    return null;
  }

  private static String cut(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  /** The first in load order, then the first in the order of their indexes, written once more. */
  private static List<String> expected(Workset workset) {
    List<String> all = new ArrayList<>();
    try (EntryIterator entries = workset.entries()) {
      for (int i = 0; i < SHOWN; i++) {
        Entry<byte[], byte[]> entry = entries.next();
        all.add(hex(entry.key()) + " " + hex(entry.value()));
      }
    }
    for (int i = 0; i < SHOWN; i++) {
      all.add(hex(workset.key(i)) + " " + hex(workset.value(i, 1)));
    }
    return all;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  // ---- trials ----------------------------------------------------------------------------------

  private @Nullable String trial(Engine engine) {
    Set<Capability> has = engine.info().capabilities();
    List<PhaseSpec> phases = new ArrayList<>();
    Shape several = Shape.SINGLE.withKeys(10, 1).withScanLength(new SizeDistribution.Fixed(15));
    Shape mixed =
        several.withMix(Map.of(Operation.GET, 0.6, Operation.UPDATE, 0.2, Operation.INSERT, 0.2));
    boolean keeps = has.contains(Capability.PERSISTENT);
    phases.add(PhaseSpec.of("batches", Operation.INSERT).withBatch(50));
    phases.add(PhaseSpec.of("insert", Operation.INSERT));
    phases.add(PhaseSpec.of("update", Operation.UPDATE));
    if (keeps) { // what is read of the null engine was never written
      phases.add(PhaseSpec.of("get", Operation.GET).sized(900, 0));
      phases.add(PhaseSpec.of("timed", Operation.GET).sized(0, 0.05));
      phases.add(PhaseSpec.of("several", Operation.MULTI_GET).sized(50, 0).withShape(several));
      phases.add(PhaseSpec.of("change", Operation.READ_MODIFY_WRITE).sized(300, 0));
      phases.add(PhaseSpec.of("mixed", Operation.MIXED).sized(800, 0).withShape(mixed));
      phases.add(
          PhaseSpec.of("zipf", Operation.GET)
              .sized(500, 0)
              .withDistribution(Distribution.parse("zipfian")));
      phases.add(PhaseSpec.of("opening", Operation.OPEN_GET).sized(20, 0));
    }
    if (has.contains(Capability.ORDERED_SCAN)) {
      phases.add(PhaseSpec.of("scan", Operation.SCAN).sized(60, 0).withShape(several));
    }
    if (has.contains(Capability.SCAN)) {
      phases.add(PhaseSpec.of("all", Operation.SCAN_ALL));
    }
    phases.add(PhaseSpec.of("delete", Operation.DELETE).sized(100, 0));
    DataSpec data =
        data("random-bytes:16", Order.RANDOM, ValueSpec.bytes(SizeDistribution.parse("20..90")));
    List<Message> heard = new ArrayList<>();
    TrialResult result =
        executor
            .run(
                plan(engine.info().name(), data, phases), Resources.unlimited(1L << 26), heard::add)
            .result();
    if (result.failure() != null) {
      return result.failure();
    }
    for (PhaseSpec phase : phases) {
      String fault = fault(phase, result, data);
      if (fault != null) {
        return "phase " + phase.name() + ": " + fault;
      }
    }
    return heard.stream().noneMatch(Message.Progress.class::isInstance)
        ? "it reported no progress"
        : keeps && result.card().sizes().diskBytes() <= 0 ? "its store has no size" : null;
  }

  private static @Nullable String fault(PhaseSpec spec, TrialResult result, DataSpec data) {
    PhaseResult own =
        result.phases().stream()
            .filter(each -> each.name().equals(spec.name()))
            .findFirst()
            .orElse(null);
    if (own == null) {
      return "it has no result";
    }
    boolean whole = spec.operation() == Operation.SCAN_ALL;
    long asked =
        spec.operations() > 0 ? spec.operations() : spec.seconds() > 0 || whole ? -1 : RECORDS;
    if (asked >= 0 && own.operations() != asked) {
      return own.operations() + " operations instead of " + asked;
    }
    if (own.operations() < 1 || own.nanos() < 1) {
      return own.operations() + " operations in " + own.nanos() + " ns";
    }
    if (spec.operation() == Operation.INSERT && own.bytes() != bytes(data)) {
      return own.bytes() + " bytes instead of " + bytes(data);
    }
    int batch = spec.shape().batch() > 1 ? spec.shape().batch() : chunk(spec);
    if (!whole && own.batch() != batch) {
      return "batch is " + own.batch() + " instead of " + batch;
    }
    return whole ? null : histogramFault(own, spec);
  }

  private static @Nullable String histogramFault(PhaseResult own, PhaseSpec spec) {
    if (own.histogram() == null || own.timeline() == null) {
      return "it has no histogram, or no timeline";
    }
    Histogram histogram = EncodedHistogram.decode(own.histogram());
    double sum = histogram.getMean() * histogram.getTotalCount();
    long min = Math.ceilDiv(own.operations(), own.batch());
    if (histogram.getTotalCount() < min || (own.batch() == 1 && histogram.getTotalCount() > min)) {
      return histogram.getTotalCount() + " latencies of " + own.operations() + " operations";
    }
    if (Math.abs(sum - own.nanos()) > 0.02 * own.nanos() + 1_000 * min) {
      return "latencies add up to %.0f ns, and it took %d ns".formatted(sum, own.nanos());
    }
    long counted = own.timeline().operations().stream().mapToLong(each -> each).sum();
    return counted == own.operations()
        ? null
        : "the timeline of " + spec.name() + " has " + counted + " operations";
  }

  private static long bytes(DataSpec data) {
    long bytes = 0;
    try (EntryIterator entries = data.workset(SEED).entries()) {
      while (entries.hasNext()) {
        Entry<byte[], byte[]> entry = entries.next();
        bytes += entry.key().length + entry.value().length;
      }
    }
    return bytes;
  }

  private @Nullable String unknownEngine() {
    DataSpec data = DataSpec.of(RECORDS, "uint64", "10");
    List<PhaseSpec> phases = List.of(PhaseSpec.of("insert", Operation.INSERT));
    String failure =
        executor
            .run(plan("nothing-like-it", data, phases), Resources.unlimited(1L << 26), _ -> {})
            .result()
            .failure();
    return failure == null
        ? "a trial of an engine that is not there has figures"
        : failure.contains("nothing-like-it") ? null : "it says only: " + failure;
  }

  private @Nullable String orphan() throws IOException {
    Process process =
        new ProcessBuilder(worker.command("trial"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    try {
      return process.waitFor(SECONDS, TimeUnit.SECONDS) ? null : "it kept running";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } finally {
      process.destroyForcibly();
    }
  }
}

package io.kvstadium.advise;

import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.measure.source.TraceParts;
import io.kvstadium.bench.measure.source.TraceParts.Part;
import io.kvstadium.bench.plan.ReplaySuite;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Replay;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an application did: two thirds of it for the small trials, the last third for the end. */
public final class TraceWorkload implements Workload {
  private static final long HEAP = 512L << 20;
  private static final long MAX_SMALL = 400_000;
  private static final long MAX_FULL = 1_000_000;

  /** Of the gets, left out of the shifted mix. */
  private static final double LESS_READS = 0.2;

  private static final double BUSIEST = 0.25;

  private final TraceParts trace;
  private final Path directory;
  private final Settings settings;
  private final List<Capability> needs;
  private final long cut;

  /**
   * @param settings with the directory of the run, where the parts are written
   */
  public TraceWorkload(Path file, Settings settings) {
    this.trace = new TraceParts(file);
    this.needs = ReplayTrace.read(file).needs();
    this.settings = settings;
    this.directory = settings.out().resolve("parts");
    this.cut = trace.operations() * 2 / 3;
  }

  @Override
  public String description() {
    return String.format(
        Locale.ROOT, "%,d operations of a trace, %s", trace.recorded(), trace.mix());
  }

  @Override
  public long records() {
    return trace.keys();
  }

  @Override
  public long bytes() {
    return trace.bytes();
  }

  @Override
  public long heap() {
    return HEAP;
  }

  @Override
  public @Nullable Durability durability() {
    String word = trace.header().get("durability");
    try {
      Durability level = word == null ? null : Durability.of(word);
      return level == Durability.ENGINE_DEFAULT ? null : level;
    } catch (BadArgumentException e) {
      return null; // of a newer version
    }
  }

  @Override
  public String untried() {
    return "";
  }

  @Override
  public Work small(int oneOf, double seconds) {
    Part part = new Part(Math.max(0, cut - MAX_SMALL * oneOf), cut, oneOf, 0);
    return work(Map.of("trace", part), oneOf, seconds, "max", new Needs(null, 0, 0, 0));
  }

  @Override
  public Work full(double seconds, Needs wanted) {
    long from = Math.max(cut, trace.operations() - MAX_FULL);
    long to = trace.operations();
    Map<String, Part> parts = new LinkedHashMap<>();
    parts.put("the last third", new Part(from, to, 1, 0));
    parts.put("its busiest part", trace.busiest(from, to, BUSIEST));
    parts.put("with 20 % fewer reads", new Part(from, to, 1, LESS_READS));
    boolean paced = wanted.rate() > 0 || wanted.limit() != null;
    return work(parts, 1, seconds, paced ? "recorded" : "max", wanted);
  }

  private Work work(
      Map<String, Part> parts, int oneOf, double seconds, String speed, Needs wanted) {
    List<Experiment> experiments = new ArrayList<>();
    long heap = 0;
    for (Map.Entry<String, Part> each : parts.entrySet()) {
      Path file = directory.resolve(each.getKey().replaceAll("\\W+", "-") + "-" + oneOf + ".trace");
      write(each.getValue(), file);
      Suite suite = ReplaySuite.of(file, speed, speed.equals("max") ? null : wanted.limit());
      heap = Math.max(heap, suite.heap());
      Experiment own = suite.experiments().getFirst();
      PhaseSpec phase = own.phases().getFirst();
      Replay replay = phase.replay();
      if (replay != null) {
        phase = phase.withReplay(new Replay(replay.trace(), needs, replay.perSecond()));
      }
      if (wanted.rate() > 0 && phase.rate() != null) {
        phase = phase.withRate(phase.rate().absolute(wanted.rate()));
      }
      experiments.add(own.named(each.getKey()).withPhases(List.of(phase.sized(0, seconds))));
    }
    Suite suite = new Suite("advise", "", 1, 0, heap, experiments);
    return new Work(suite, settings, 1.0 / oneOf);
  }

  private void write(Part part, Path file) {
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(directory);
        trace.write(part, file);
      }
    } catch (IOException e) {
      throw new BadArgumentException("cannot write to " + directory + " (" + e + ")", e);
    }
  }
}

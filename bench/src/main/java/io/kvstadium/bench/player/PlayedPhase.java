package io.kvstadium.bench.player;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Seeds;
import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.measure.Meter;
import io.kvstadium.bench.measure.PhaseRun;
import io.kvstadium.bench.measure.RateSearch;
import io.kvstadium.bench.measure.TrialTotals;
import io.kvstadium.bench.measure.Usage;
import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.Entry;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Plays phases on an open store: in parts of some seconds, because their traces are written
 * meanwhile and the player is silent.
 *
 * @param directory for the traces
 */
record PlayedPhase(
    Player player,
    PlayedStore store,
    Workset workset,
    Population population,
    long seed,
    ValueFile values,
    Path directory,
    TrialTotals totals,
    DoubleConsumer progress) {
  /** Operations of a phase's first trace: nobody knows yet how long one takes. */
  private static final int FIRST_OPERATIONS = 2_000;

  private static final int MAX_OPERATIONS = 300_000;

  /** About how long a part takes. */
  private static final double SECONDS = 4;

  private static final long CHECKED_AFTER_LOAD = 1_000;

  /** Its result, and after it that of its background load. */
  List<PhaseResult> run(PhaseSpec spec) throws IOException {
    if (spec.operation() == Operation.LOAD) {
      return List.of(load(spec));
    }
    Rate rate = spec.rate();
    if (rate == null || !rate.searches()) {
      return new Parts(spec, seed).run();
    }
    int[] attempt = {0};
    return List.of(
        new RateSearch(
                spec,
                rate,
                at -> attempt(at, Seeds.derive(seed, attempt[0]++)),
                store::background,
                progress)
            .run());
  }

  private List<PhaseResult> attempt(PhaseSpec at, long other) {
    try {
      return new Parts(at, other).run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In one call, from a file in the order of the keys; what it brought is then looked at. */
  private PhaseResult load(PhaseSpec spec) throws IOException {
    Path file = directory.resolve("load");
    EntryIterator sorted = workset.sortedEntries();
    try (EntryIterator entries = sorted == null ? workset.entries() : sorted;
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      while (entries.hasNext()) {
        Entry<byte[], byte[]> entry = entries.next();
        byte[] value = values.bytes(entry);
        out.writeInt(entry.key().length);
        out.writeInt(value.length);
        out.write(entry.key());
        out.write(value);
      }
    }
    Map<String, Object> task =
        Map.of(
            "task", "load", "entries", file.toAbsolutePath().toString(), "sorted", sorted != null);
    long origin = System.nanoTime();
    Message.Played played = player.does(task);
    Files.delete(file);
    Message.PlayedThread own = threads(played, 1).getFirst();
    Meter meter = new Meter(List.of(), origin);
    meter.add(own.entries(), own.nanos());
    meter.checks().entries = own.entries();
    meter.checks().bytes = own.writtenBytes();
    meter.checks().writtenBytes = own.writtenBytes();
    population.renew();
    population.loaded(own.writtenBytes(), true);
    totals.wrote(own.writtenBytes());
    PhaseResult result =
        Meter.phase(spec, List.of(meter), own.nanos(), 1, used(played, -1, origin), null);
    new Parts(PhaseSpec.of(spec.name(), Operation.GET).sized(CHECKED_AFTER_LOAD, 0), seed).run();
    return result;
  }

  private static List<Message.PlayedThread> threads(Message.Played played, int count) {
    if (played.threads().size() != count) {
      throw new TrialFailure(
          "the player answered for "
              + played.threads().size()
              + " threads, and there were "
              + count,
          null);
    }
    return played.threads();
  }

  private static Usage used(Message.Played played, long read, long origin) {
    return new Usage(
        or(played.cpuNanos()), or(played.gcNanos()), read, -1, System.nanoTime() - origin);
  }

  private static long or(@Nullable Long known) {
    return known == null ? -1 : known;
  }

  /** Threads that do the same: those of the phase, or of its background load. */
  private static final class Group {
    final PhaseSpec spec;
    final boolean follows;
    final List<PhaseTrace> traces = new ArrayList<>();
    final List<Meter> meters = new ArrayList<>();

    Group(PhaseSpec spec, boolean follows) {
      this.spec = spec;
      this.follows = follows;
    }

    double perSecond() {
      return spec.rate() == null ? 0 : spec.rate().perSecond();
    }

    /** How many operations each thread needs for so many seconds, and some more. */
    int size(double seconds) {
      long done = meters.stream().mapToLong(Meter::operations).sum();
      long nanos = meters.stream().mapToLong(Meter::nanos).sum();
      double each =
          perSecond() > 0
              ? perSecond() / spec.threads()
              : done == 0 ? FIRST_OPERATIONS / seconds : 1e9 * done / Math.max(1, nanos);
      return (int) Math.clamp(1.1 * each * seconds + 1, 1, MAX_OPERATIONS);
    }

    long writtenBytes() {
      return meters.stream().mapToLong(each -> each.checks().writtenBytes).sum();
    }
  }

  /** A phase, part by part. */
  private final class Parts {
    private final PhaseSpec spec;
    private final Group main;
    private final List<Group> groups = new ArrayList<>();
    private final long origin = System.nanoTime();
    private long cpu;
    private long gc;
    private long elapsed; // of operations at a rate
    private long began; // the part

    Parts(PhaseSpec spec, long drawn) throws IOException {
      this.spec = spec;
      this.main = new Group(spec, false);
      groups.add(main);
      PhaseSpec background = spec.background();
      if (background != null) {
        groups.add(new Group(background, true));
      }
      boolean alone =
          background == null || (!background.writes() && !spec.operation().writes(spec.shape()));
      PhaseRun run = new PhaseRun(spec, workset, population, drawn, 1, totals, _ -> {});
      for (Group group : groups) {
        for (int lane = 0; lane < group.spec.threads(); lane++) {
          group.traces.add(new PhaseTrace(run, group.spec, lane, values, alone, group.follows));
          group.meters.add(new Meter(List.of(), origin));
        }
      }
    }

    List<PhaseResult> run() throws IOException {
      long readBefore = DeviceIo.read(Long.toString(player.pid()));
      long max = maxNanos();
      long busy = 0;
      progress.accept(0);
      while (busy < max) {
        Message.Played played = part((max - busy) / 1e9);
        if (played == null) {
          break;
        }
        busy +=
            main.perSecond() > 0
                ? played.nanos()
                : played.threads().stream().mapToLong(each -> each.nanos()).max().orElse(0);
        totals.look(Long.toString(player.pid()));
        progress.accept(Math.min(1, (double) busy / max));
      }
      for (Group group : groups) {
        for (int lane = 0; lane < group.traces.size(); lane++) {
          PhaseTrace trace = group.traces.get(lane);
          Meter meter = group.meters.get(lane);
          trace.end(meter.operations(), meter.checks().writtenBytes);
          trace.close();
        }
        totals.wrote(group.writtenBytes());
      }
      long readAfter = DeviceIo.read(Long.toString(player.pid()));
      long read = readBefore < 0 || readAfter < 0 ? -1 : readAfter - readBefore;
      Usage used = new Usage(cpu, gc, read, -1, System.nanoTime() - origin);
      return groups.stream().map(each -> result(each, used)).toList();
    }

    /** How long the phase takes, as far as it is not said in operations. */
    private long maxNanos() {
      double seconds = spec.seconds();
      if (seconds <= 0 && main.perSecond() > 0) {
        long operations = spec.operations() > 0 ? spec.operations() : population.loaded();
        seconds = operations / main.perSecond();
      }
      return seconds > 0 ? (long) (seconds * 1e9) : Long.MAX_VALUE;
    }

    /** The next part, or {@code null} if there is nothing left to do. */
    private Message.@Nullable Played part(double left) throws IOException {
      boolean limited = left < Long.MAX_VALUE / 2e9 || groups.size() > 1;
      double seconds = Math.min(left, SECONDS);
      if (main.perSecond() > 0) {
        seconds = Math.min(left, MAX_OPERATIONS * spec.threads() / main.perSecond() / 1.2);
      }
      List<Map<String, Object>> threads = new ArrayList<>();
      List<Runnable> ends = new ArrayList<>(); // what to do with each thread's answer
      Message.Played[] answer = new Message.Played[1];
      for (Group group : groups) {
        int size = group.size(seconds);
        for (int lane = 0; lane < group.traces.size(); lane++) {
          Path file = directory.resolve("thread-" + threads.size() + ".trace");
          if (group.traces.get(lane).write(file, size) == 0) {
            continue;
          }
          Map<String, Object> thread = new HashMap<>();
          thread.put("trace", file.toAbsolutePath().toString());
          thread.put("background", group.follows);
          if (group.perSecond() > 0) {
            thread.put("first", lane * 1e9 / group.perSecond());
            thread.put("period", group.spec.threads() * 1e9 / group.perSecond());
          }
          int number = threads.size();
          int own = lane;
          threads.add(thread);
          ends.add(() -> ended(group, own, answer[0].threads().get(number)));
        }
        if (group == main && threads.isEmpty()) {
          return null;
        }
      }
      Map<String, Object> task = store.playing();
      task.put("threads", threads);
      task.put("values", values.file().toAbsolutePath().toString());
      task.put("seconds", limited ? Math.min(left, 2 * SECONDS + seconds) : 0);
      began = System.nanoTime();
      answer[0] = player.does(task);
      threads(answer[0], threads.size());
      ends.forEach(Runnable::run);
      if (answer[0].threads().stream()
          .allMatch(each -> each.operations() == 0 && each.unstarted() == 0)) {
        throw new TrialFailure("phase " + spec.name() + ": the player did nothing", null);
      }
      cpu = plus(cpu, answer[0].cpuNanos());
      gc = plus(gc, answer[0].gcNanos());
      Long allocated = answer[0].allocatedBytes();
      if (allocated != null) {
        main.meters.getFirst().allocated(allocated);
      }
      elapsed += answer[0].nanos();
      return answer[0];
    }

    private static long plus(long sum, @Nullable Long more) {
      return sum < 0 || more == null ? -1 : sum + more;
    }

    private void ended(Group group, int lane, Message.PlayedThread played) {
      Meter meter = group.meters.get(lane);
      boolean whole = group.spec.operation() == Operation.SCAN_ALL;
      group.traces.get(lane).played(played.operations());
      meter.add(whole ? Math.max(1, played.entries()) : played.operations(), played.nanos());
      if (!whole) {
        played.latencies().forEach(each -> meter.took(each.getFirst(), each.getLast()));
        played
            .intervals()
            .forEach(each -> meter.ended(began + each.getFirst(), each.get(1), each.getLast()));
      }
      played.responses().forEach(each -> meter.responded(each.getFirst(), each.getLast()));
      played.lateness().forEach(each -> meter.late(each.getFirst(), each.getLast()));
      meter.notBegun(played.unstarted());
      Checks checks = meter.checks();
      checks.entries += played.entries();
      checks.bytes += played.readBytes() + played.writtenBytes();
      checks.writtenBytes += played.writtenBytes();
      checks.misses += played.misses();
      if (played.wrong() != null) {
        checks.wrong(played.wrong());
      }
      if (meter.operations() > 0) {
        meter.check(group.spec.name());
      }
    }

    private PhaseResult result(Group group, Usage used) {
      long nanos = group.perSecond() > 0 ? Math.max(1, elapsed) : Meter.nanos(group.meters);
      Usage own = groups.size() > 1 ? used.shared() : used;
      int together = group.spec.shape().batch();
      return Meter.phase(group.spec, group.meters, nanos, together, own, null);
    }
  }
}

package io.kvstadium.torture.program;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.internal.Why;
import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.child.Home;
import io.kvstadium.torture.child.ShutdownException;
import io.kvstadium.torture.child.ShutdownGuard;
import io.kvstadium.torture.fault.DiskFormat;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjector;
import io.kvstadium.torture.fault.FaultInjectors;
import io.kvstadium.torture.fault.KeptStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Injects faults into the directory of any program, and asks the program's check each time. */
public final class ProgramTorture {
  /** The longest sequence of rounds in one directory. */
  private static final int MAX_SEQUENCE = 12;

  /** How often a sequence that is known to have found something is repeated. */
  private static final int MAX_REPEATS = 20;

  /** The longest time to the fault, if the program does not end by itself before. */
  private static final Duration MAX_WINDOW = Duration.ofMillis(250);

  private final ProgramSettings settings;
  private final Listener listener;

  /** What the program wrote outside of its directory before any fault. */
  private Set<String> outside = Set.of();

  private volatile boolean interrupted;

  /** Receives the progress, from several threads. */
  public interface Listener {
    /** Rounds of a fault begin. */
    void begins(Fault fault);

    /** A round has ended. */
    void ended(ProgramRound round);
  }

  public ProgramTorture(ProgramSettings settings, Listener listener) {
    this.settings = settings;
    this.listener = listener;
  }

  /** Returns the reason for each fault of the settings that is not possible here. */
  public Map<Fault, String> impossible() {
    Map<Fault, String> reasons = new EnumMap<>(Fault.class);
    for (Fault fault : settings.faults()) {
      String reason = FaultInjectors.unavailable(fault);
      if (reason != null) {
        reasons.put(fault, reason);
      }
    }
    return reasons;
  }

  /**
   * Runs everything, or, if this virtual machine is ended meanwhile, as much as was done before.
   *
   * @param place where it all happens, an empty or nonexistent directory; {@code null} for a
   *     temporary one
   * @param keep where directories are kept in which something was wrong; {@code null} to remove
   *     them
   * @throws BadArgumentException if the program or its check cannot be used: they do not start, the
   *     program prints nothing, or the check accepts an empty directory
   */
  public List<ProgramResult> run(@Nullable Path place, @Nullable Path keep)
      throws InterruptedException {
    try (KeptStores kept = new KeptStores(keep);
        Home home = Home.at(place)) {
      return results(home.directory(), kept);
    } catch (IOException e) {
      throw new StoreIoException("the torture run cannot continue: " + Why.of(e), e);
    }
  }

  private List<ProgramResult> results(Path home, KeptStores kept)
      throws IOException, InterruptedException {
    List<ProgramResult> results = new ArrayList<>();
    try {
      Duration own = probe(Files.createDirectory(home.resolve("probe")));
      Duration given = settings.window();
      Duration window = given == null ? own : given;
      for (Fault fault : settings.faults()) {
        ProgramResult result = inject(home, fault, window, kept);
        if (!interrupted || !result.rounds().isEmpty()) {
          results.add(result);
        }
        if (interrupted) {
          break;
        }
      }
    } catch (ShutdownException e) {
      interrupted = true;
    } catch (IOException e) {
      ShutdownGuard.passOn(e);
      interrupted = true;
    }
    return results;
  }

  /** Whether the run was interrupted, so that its results are not all that was asked for. */
  public boolean isInterrupted() {
    return interrupted;
  }

  /**
   * Tries the program and its check without a fault, and the check on what it must refuse.
   *
   * @return the longest time from the first line to the fault
   */
  private Duration probe(Path home) throws IOException, InterruptedException {
    Path directory = Files.createDirectory(home.resolve("directory"));
    ProgramCheck check = new ProgramCheck(settings.check(), home, settings.patience());
    Duration window;
    List<byte[]> lines;
    OutsideWrites writes = new OutsideWrites(home.resolve("opened"));
    List<String> command =
        Stream.concat(
                writes.prefix().stream(),
                ProgramSettings.words(settings.program(), directory).stream())
            .toList();
    try (ProgramProcess process = new ProgramProcess(command, home)) {
      boolean printed = process.awaitLine(settings.patience());
      long first = System.nanoTime();
      boolean ended = process.awaitEnd(MAX_WINDOW);
      window = ended ? Duration.ofNanos(System.nanoTime() - first) : MAX_WINDOW;
      if (ended && process.hasEnded() && process.exitCode() != 0) {
        throw new BadArgumentException(
            "the program ended with code "
                + process.exitCode()
                + " in an empty directory and without a fault: "
                + process.lastMessages());
      }
      if (!printed) {
        throw new BadArgumentException(
            "the program "
                + (ended ? "ended and" : "ran for " + settings.patience().toSeconds() + " s and")
                + " printed no line ("
                + process.lastMessages()
                + "). Let it print a line on its standard output, and flush it, for"
                + " each thing that it has acknowledged to its user");
      }
      if (ended) {
        lines = process.lines();
        Finding wrong = check.run(List.of(), directory, lines);
        if (wrong != null) {
          throw new BadArgumentException(
              "the check refuses what the program left without any fault: " + wrong.detail());
        }
      }
      process.kill();
      lines = process.lines();
    }
    outside = writes.outside(directory);
    Home.remove(directory);
    Files.createDirectory(directory);
    if (check.run(List.of(), directory, lines) == null) {
      throw new BadArgumentException(
          ("the check accepts an empty directory after the program has acknowledged %,d lines, so"
                  + " it would notice no loss. It must read the acknowledged lines from its standard"
                  + " input and exit with code 1 if one of them is not there")
              .formatted(lines.size()));
    }
    return window;
  }

  private ProgramResult inject(Path home, Fault fault, Duration window, KeptStores kept)
      throws IOException, InterruptedException {
    String unavailable = FaultInjectors.unavailable(fault);
    if (unavailable != null) {
      return new ProgramResult(fault, unavailable, Map.of(), List.of(), List.of(), Set.of());
    }
    listener.begins(fault);
    Budget budget = new Budget(new SplittableRandom(settings.seed() ^ fault.word().hashCode()));
    int lanes = Math.min(settings.lanes(), settings.rounds());
    List<ProgramResult> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(lanes)) {
      List<Future<ProgramResult>> running = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        Path own = Files.createDirectory(home.resolve(fault.word() + "-" + lane));
        running.add(threads.submit(() -> lane(own, fault, window, kept, budget)));
      }
      try {
        for (Future<ProgramResult> each : running) {
          results.add(each.get());
        }
      } catch (ExecutionException e) {
        running.forEach(each -> each.cancel(true));
        throw thrown(e);
      } catch (InterruptedException e) {
        running.forEach(each -> each.cancel(true));
        throw e;
      }
    }
    return ProgramResult.of(fault, results, outside);
  }

  private static IOException thrown(ExecutionException e) throws IOException {
    Throwable cause = e.getCause();
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException failed ? failed : new IOException(cause);
  }

  /** What is left to do, for all lanes. */
  private final class Budget {
    private final SplittableRandom seeds;
    private final AtomicInteger rounds = new AtomicInteger();
    private int sequences;
    private boolean found;

    Budget(SplittableRandom seeds) {
      this.seeds = seeds;
    }

    /** The seed of another sequence, or {@code null} if there are enough. */
    synchronized @Nullable Long next() {
      sequences++;
      if (settings.repeats()) {
        return found || sequences > MAX_REPEATS ? null : (Long) settings.seed();
      }
      return rounds.get() >= settings.rounds() ? null : (Long) seeds.nextLong();
    }

    /** Takes a round, if there is one left. */
    boolean take() {
      return settings.repeats() || rounds.getAndIncrement() < settings.rounds();
    }

    synchronized void found() {
      found = true;
    }
  }

  private ProgramResult lane(
      Path home, Fault fault, Duration window, KeptStores kept, Budget budget)
      throws IOException, InterruptedException {
    List<ProgramRound> rounds = new ArrayList<>();
    List<FaultResult.Broken> broken = new ArrayList<>();
    Map<String, Integer> fileSystems = new TreeMap<>();
    List<DiskFormat> formats =
        fault == Fault.POWER ? DiskFormat.wanted(settings.format()) : List.of();
    try (FaultInjectors injectors = new FaultInjectors(home, fault, formats)) {
      for (Long seed = budget.next(); seed != null; seed = budget.next()) {
        try (FaultInjector injector = injectors.next(seed)) {
          ProgramSequence sequence =
              new ProgramSequence(settings, home, injector, window, kept, seed);
          int longest = settings.repeats() ? settings.rounds() : MAX_SEQUENCE;
          for (int i = 1; i <= longest && !sequence.isOver() && budget.take(); i++) {
            ProgramRound round = sequence.next();
            rounds.add(round);
            if (!injector.fileSystem().isEmpty()) {
              fileSystems.merge(injector.fileSystem(), 1, Integer::sum);
            }
            listener.ended(round);
            if (round.finding() != null) {
              budget.found();
              String replay = ProgramSettings.replay(fault, injector.fileSystem(), seed, i);
              Path place = kept.keep(List.of(round.finding()), replay);
              broken.add(new FaultResult.Broken(round.finding(), round.evidence(), replay, place));
            }
          }
        }
      }
    } catch (ShutdownException e) {
      interrupted = true;
    } catch (IOException e) {
      ShutdownGuard.passOn(e);
      interrupted = true;
    }
    Set<String> open = new HashSet<>();
    rounds.forEach(round -> open.addAll(round.outside()));
    return new ProgramResult(fault, null, fileSystems, rounds, broken, open);
  }
}

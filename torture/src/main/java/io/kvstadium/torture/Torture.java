package io.kvstadium.torture;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.internal.Why;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.child.Child;
import io.kvstadium.torture.child.Child.Stage;
import io.kvstadium.torture.child.Children;
import io.kvstadium.torture.child.Children.Role;
import io.kvstadium.torture.child.Home;
import io.kvstadium.torture.child.Message;
import io.kvstadium.torture.child.ShutdownException;
import io.kvstadium.torture.child.ShutdownGuard;
import io.kvstadium.torture.child.WorkerArguments;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjector;
import io.kvstadium.torture.fault.FaultInjectors;
import io.kvstadium.torture.fault.KeptStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults into stores of one engine at its levels, and reports whether they keep their
 * guarantees.
 */
public final class Torture {
  /** The most rounds on one store before a new one is made. */
  private static final int LONGEST_SEQUENCE = 12;

  /** How often a sequence that is known to have broken a guarantee is repeated. */
  private static final int MOST_REPEATS = 20;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Set<Fault> ON_FUSE = EnumSet.of(Fault.SECTOR, Fault.SLOW, Fault.LIE);

  private final Settings settings;
  private final Children children;
  private final Listener listener;
  private boolean interrupted;

  /** Receives the progress. */
  public interface Listener {
    /** Rounds of a fault at a level begin. */
    void begins(Durability level, Fault fault, Guarantee guarantee);

    /** A round has ended. */
    void ended(Round round, int number);
  }

  /**
   * @param children use the stores
   */
  public Torture(Settings settings, Children children, Listener listener) {
    this.settings = settings;
    this.children = children;
    this.listener = listener;
  }

  /**
   * The levels that an engine implements, each with its own settings.
   *
   * @throws BadArgumentException if its stores are not files that a fault can reach
   */
  public static List<Durability> levels(EngineInfo engine) {
    if (!engine.onDisk() || !engine.capabilities().contains(Capability.PERSISTENT)) {
      throw new BadArgumentException(
          "engine "
              + engine.name()
              + " keeps no files of its own here, so no fault can reach it: name one that does");
    }
    return Arrays.stream(Durability.values())
        .filter(level -> level != Durability.ENGINE_DEFAULT)
        .filter(level -> {
          DurabilityMapping mapping = engine.durability().get(level);
          return mapping != null && mapping.effective() == level;
        })
        .toList();
  }

  /**
   * Runs everything, or, if this virtual machine is ended meanwhile, as much as was done before.
   *
   * @param engines checks the URL; separate processes open the stores
   * @param keep where stores that broke a guarantee are kept, an empty or nonexistent directory;
   *     {@code null} to remove them
   * @param soFar receives all results so far after each fault at each level, which may take hours
   */
  public List<FaultResult> run(
      Engines engines, @Nullable Path keep, Consumer<List<FaultResult>> soFar)
      throws InterruptedException {
    for (Durability level : settings.levels()) {
      engines.check(settings.in(Path.of("store"), level).toString());
    }
    List<FaultResult> results = new ArrayList<>();
    try (KeptStores kept = new KeptStores(keep);
        Home home = Home.at(settings.place())) {
      for (Fault fault : settings.faults()) {
        for (Durability level : settings.levels()) {
          FaultResult result = inject(home.directory(), level, fault, kept);
          if (!interrupted || !result.rounds().isEmpty()) {
            results.add(result);
            soFar.accept(List.copyOf(results));
          }
          if (interrupted) {
            return results;
          }
        }
      }
    } catch (IOException e) {
      throw new StoreIoException("the torture run cannot continue: " + Why.of(e), e);
    }
    return results;
  }

  /** Whether the run was interrupted, so that its results are not all that was asked for. */
  public boolean isInterrupted() {
    return interrupted;
  }

  private FaultResult inject(Path home, Durability level, Fault fault, KeptStores kept)
      throws IOException, InterruptedException {
    Guarantee guarantee = settings.guarantee(level, fault);
    String unavailable = whyNot(fault);
    if (unavailable != null) {
      return new FaultResult(level, fault, guarantee, unavailable, Map.of(), List.of(), List.of());
    }
    listener.begins(level, fault, guarantee);
    List<Round> rounds = new ArrayList<>();
    List<FaultResult.Broken> broken = new ArrayList<>();
    Map<String, Integer> fileSystems = new TreeMap<>();
    SplittableRandom seeds =
        new SplittableRandom(
            settings.seed() ^ (31L * level.word().hashCode() + fault.word().hashCode()));
    try (FaultInjectors injectors = new FaultInjectors(home, fault, settings.formats(fault))) {
      List<Capability> capabilities = probe(home, level);
      for (int sequences = 0; !isEnough(sequences, rounds, broken); sequences++) {
        long seed = settings.repeats() ? settings.seed() : seeds.nextLong();
        int longest =
            settings.repeats()
                ? settings.rounds()
                : Math.min(LONGEST_SEQUENCE, settings.rounds() - rounds.size());
        try (FaultInjector injector = injectors.next(seed)) {
          StoreUrl url = settings.in(injector.directory().resolve("store"), level);
          Plan plan = Plan.of(seed, settings.threads(), capabilities);
          // even where nothing is promised, it must show whether damage goes unnoticed
          Guarantee demanded = fault == Fault.FLIP ? Guarantee.ALL : guarantee;
          boolean backsUp = fault != Fault.FLIP && fault != Fault.LIE;
          CrashSequence sequence =
              new CrashSequence(home, children, injector, url, plan, demanded, backsUp, kept);
          for (int i = 1; i <= longest && !sequence.isOver(); i++) {
            Round round = sequence.next();
            rounds.add(round);
            if (!injector.fileSystem().isEmpty()) {
              fileSystems.merge(injector.fileSystem(), 1, Integer::sum);
            }
            listener.ended(round, rounds.size());
            String replay = settings.replay(level, fault, injector.fileSystem(), seed, i);
            List<Finding> breaking =
                round.findings().stream()
                    .filter(each ->
                        guarantee != Guarantee.NOTHING || each.kind() == Finding.Kind.BAD_BACKUP)
                    .toList();
            if (!breaking.isEmpty()) {
              Path place = kept.keep(breaking, replay);
              breaking.forEach(finding ->
                  broken.add(new FaultResult.Broken(finding, sequence.evidence(), replay, place)));
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
    return new FaultResult(level, fault, guarantee, null, fileSystems, rounds, broken);
  }

  private boolean isEnough(int sequences, List<Round> rounds, List<FaultResult.Broken> broken) {
    return settings.repeats()
        ? sequences == MOST_REPEATS || !broken.isEmpty()
        : rounds.size() >= settings.rounds();
  }

  /** Returns the reason for each fault of the settings that is not possible here. */
  public Map<Fault, String> impossible() {
    Map<Fault, String> reasons = new EnumMap<>(Fault.class);
    for (Fault fault : settings.faults()) {
      String reason = whyNot(fault);
      if (reason != null) {
        reasons.put(fault, reason);
      }
    }
    return reasons;
  }

  /** Why a fault is not possible on these stores, or {@code null}. */
  private @Nullable String whyNot(Fault fault) {
    if (fault == Fault.FULL && children.endAtErrors()) {
      return "a player ends when a call fails";
    }
    boolean served = settings.hasServer();
    if (fault == Fault.SERVER && !served) {
      return "its engine starts no server here";
    }
    if (served && ON_FUSE.contains(fault)) {
      return "a server of its own cannot be on our file system of FUSE";
    }
    return FaultInjectors.unavailable(fault);
  }

  /** The capabilities of a store at a level; fails if it cannot be opened at all. */
  private List<Capability> probe(Path home, Durability level)
      throws IOException, InterruptedException {
    Path directory = home.resolve("probe");
    WorkerArguments arguments = new WorkerArguments().with("url", settings.in(directory, level));
    try (Child child = children.start(home, List.of(), Role.WRITER, arguments, new long[0])) {
      child.await(Stage.OPEN, PATIENCE);
      child.askToClose();
      boolean ended = child.ends(PATIENCE);
      Message.@Nullable Opened opened = child.opened();
      if (!ended || opened == null || child.stage() != Stage.DONE) {
        throw new BadArgumentException(
            "a new store of "
                + settings.url()
                + " cannot be opened and closed: "
                + (child.findings().isEmpty()
                    ? child.lastWords()
                    : child.findings().getFirst().detail()));
      }
      return opened.capabilities().stream().map(Capability::valueOf).toList();
    } finally {
      Home.remove(directory);
    }
  }
}

package io.kvstadium.torture;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.DurabilityMapping;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.torture.Child.Stage;
import java.io.IOException;
import java.nio.file.Files;
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

/** Strikes stores of one engine at its levels, and reports whether they keep their promises. */
public final class Torture {
  /** The most rounds on one store before a new one is made. */
  private static final int LONGEST_CHAIN = 12;

  /** How often a chain that is known to have broken a promise is repeated. */
  private static final int MOST_REPEATS = 20;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The size of a disk image, which is a sparse file. */
  private static final long DISK_BYTES = 1L << 30;

  private static final Set<Fault> ON_FUSE = EnumSet.of(Fault.SECTOR, Fault.SLOW, Fault.LIE);

  private final Settings settings;
  private final Listener listener;

  /** Receives the progress. */
  public interface Listener {
    /** A level is about to be struck. */
    void begins(Durability level, Fault fault, Promise promise);

    /** A round has ended. */
    void ended(Round round, int number);
  }

  public Torture(Settings settings, Listener listener) {
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * The levels that an engine implements, each with its own settings.
   *
   * @throws BadArgumentException if its stores are not files that can be struck
   */
  public static List<Durability> levels(EngineInfo engine) {
    if (!engine.onDisk() || !engine.capabilities().contains(Capability.PERSISTENT)) {
      throw new BadArgumentException(
          "engine "
              + engine.name()
              + " keeps no files of its own here, so there is nothing to strike: name one that does");
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
   * Runs everything.
   *
   * @param engines checks the URL; separate processes open the stores
   * @param keep where stores that broke a promise are kept, an empty or nonexistent directory;
   *     {@code null} to remove them
   * @param soFar receives all results so far after each fault at each level, which may take hours
   */
  public List<Tally> run(Engines engines, @Nullable Path keep, Consumer<List<Tally>> soFar)
      throws InterruptedException {
    for (Durability level : settings.levels()) {
      engines.check(settings.in(Path.of("store"), level).toString());
    }
    List<Tally> tallies = new ArrayList<>();
    try (KeptStores kept = new KeptStores(keep);
        Home home = Home.at(settings.place())) {
      for (Fault fault : settings.faults()) {
        for (Durability level : settings.levels()) {
          tallies.add(strike(home.directory(), level, fault, kept));
          soFar.accept(List.copyOf(tallies));
        }
      }
    } catch (IOException e) {
      throw new StoreIoException("the torture run cannot continue: " + e.getMessage(), e);
    }
    return tallies;
  }

  private Tally strike(Path home, Durability level, Fault fault, KeptStores kept)
      throws IOException, InterruptedException {
    Promise promise = settings.promise(level, fault);
    String unavailable = whyNot(fault);
    if (unavailable != null) {
      return new Tally(level, fault, promise, unavailable, Map.of(), List.of(), List.of());
    }
    listener.begins(level, fault, promise);
    List<Capability> capabilities = probe(home, level);
    List<Round> rounds = new ArrayList<>();
    List<Tally.Broken> broken = new ArrayList<>();
    Map<String, Integer> fileSystems = new TreeMap<>();
    SplittableRandom seeds =
        new SplittableRandom(
            settings.seed() ^ (31L * level.word().hashCode() + fault.word().hashCode()));
    try (Grounds grounds = new Grounds(home, fault, settings.formats(fault))) {
      for (int chains = 0; !isEnough(chains, rounds, broken); chains++) {
        long seed = settings.repeats() ? settings.seed() : seeds.nextLong();
        int longest =
            settings.repeats()
                ? settings.rounds()
                : Math.min(LONGEST_CHAIN, settings.rounds() - rounds.size());
        try (Ground ground = grounds.next(seed)) {
          StoreUrl url = settings.in(ground.directory().resolve("store"), level);
          Plan plan = Plan.of(seed, settings.threads(), capabilities);
          // even where nothing is promised, it must show whether damage goes unnoticed
          Promise demanded = fault == Fault.FLIP ? Promise.ALL : promise;
          boolean backsUp = fault != Fault.FLIP && fault != Fault.LIE;
          Chain chain = new Chain(home, ground, url, plan, demanded, backsUp, kept);
          for (int i = 1; i <= longest && !chain.isOver(); i++) {
            Round round = chain.next();
            rounds.add(round);
            if (!ground.fileSystem().isEmpty()) {
              fileSystems.merge(ground.fileSystem(), 1, Integer::sum);
            }
            listener.ended(round, rounds.size());
            String replay = settings.replay(level, fault, ground.fileSystem(), seed, i);
            List<Finding> breaking =
                round.findings().stream()
                    .filter(each ->
                        promise != Promise.NOTHING || each.kind() == Finding.Kind.BAD_BACKUP)
                    .toList();
            if (!breaking.isEmpty()) {
              Path place = kept.keep(breaking, replay);
              breaking.forEach(finding -> broken.add(new Tally.Broken(finding, replay, place)));
            }
          }
        }
      }
    }
    return new Tally(level, fault, promise, null, fileSystems, rounds, broken);
  }

  private boolean isEnough(int chains, List<Round> rounds, List<Tally.Broken> broken) {
    return settings.repeats()
        ? chains == MOST_REPEATS || !broken.isEmpty()
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

  /** Why these stores cannot be struck by a fault, or {@code null}. */
  private @Nullable String whyNot(Fault fault) {
    boolean served = settings.hasServer();
    if (fault == Fault.SERVER && !served) {
      return "its engine starts no server here";
    }
    if (served && ON_FUSE.contains(fault)) {
      return "a server of its own cannot be on our file system of FUSE";
    }
    return unavailable(fault);
  }

  /** Why a fault is not available here, or {@code null}. */
  static @Nullable String unavailable(Fault fault) {
    return switch (fault) {
      case KILL, SERVER, FLIP -> null;
      case POWER, FULL -> MountNamespace.unavailable();
      case SECTOR, SLOW, LIE -> LossyDisk.unavailable();
      case EIO -> Strace.unavailable();
    };
  }

  /** The capabilities of a store at a level; fails if it cannot be opened at all. */
  private List<Capability> probe(Path home, Durability level)
      throws IOException, InterruptedException {
    Path directory = home.resolve("probe");
    Orders orders = new Orders().with("url", settings.in(directory, level));
    try (Child child = new Child(home, List.of(), WorkerMain.class, orders, new long[0])) {
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

  /** The grounds of one fault's chains. */
  private static final class Grounds implements AutoCloseable {
    private static final Set<Fault> IN_NAMESPACE =
        EnumSet.of(Fault.POWER, Fault.SECTOR, Fault.SLOW, Fault.LIE, Fault.FULL);

    /** The slowest flush of a slow disk. */
    private static final long SLOWEST_MILLIS = 100;

    private final Path home;
    private final Fault fault;
    private final List<DiskFormat> formats;
    private final @Nullable MountNamespace namespace;
    private int made;

    Grounds(Path home, Fault fault, List<DiskFormat> formats) throws IOException {
      this.home = home;
      this.fault = fault;
      this.formats = formats;
      namespace = IN_NAMESPACE.contains(fault) ? new MountNamespace() : null;
    }

    Ground next(long seed) throws IOException {
      if (namespace != null) {
        return switch (fault) {
          case SECTOR -> new LossyDisk(namespace, home, 0, false);
          case SLOW -> new LossyDisk(namespace, home, SLOWEST_MILLIS, false);
          case LIE -> new LossyDisk(namespace, home, 0, true);
          case FULL -> new FullDisk(new LoopDisk(namespace, home, DiskFormat.EXT4, DISK_BYTES));
          default -> {
            DiskFormat format = formats.get(new SplittableRandom(seed).nextInt(formats.size()));
            yield new PowerCut.CutGround(new LoopDisk(namespace, home, format, DISK_BYTES));
          }
        };
      }
      Path directory = Files.createDirectory(home.resolve("ground-" + ++made));
      return switch (fault) {
        case SERVER -> new Ground.Served(directory);
        case EIO -> new Strace(directory);
        case FLIP -> new Flips(directory);
        default -> new Ground.Plain(directory);
      };
    }

    @Override
    public void close() throws IOException {
      if (namespace != null) {
        namespace.close();
      }
    }
  }
}

package io.kvstadium.torture.evidence;

import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The evidence for engines' durability levels: what tortures found, and otherwise what the engines
 * declare. Tortures count for the engine version that they ran on, opened without options.
 *
 * @param all what was found
 */
public record Proofs(List<TortureResults> all) {
  /**
   * Rounds of each fault after which a level without a finding is called proven: with 95 %
   * confidence, fewer than 3 in 200 would break it (the "rule of three").
   */
  static final int ENOUGH = 200;

  /** Faults of a disk that no longer works properly; levels are about kills and power cuts. */
  private static final Set<String> FAILING_DISKS = Set.of("eio", "full");

  /** Where the build puts the files of {@code torture/evidence}. */
  private static final String FOLDER = "torture";

  public Proofs {
    all = List.copyOf(all);
  }

  /** Read once. */
  private static final class Committed {
    static final Proofs PROOFS = new Proofs(read());
  }

  /** The proofs from the results that are part of this program. */
  public static Proofs committed() {
    return Committed.PROOFS;
  }

  /** Reads the files among this program's classes, which may be in a jar. */
  private static List<TortureResults> read() {
    String folder = Proofs.class.getPackageName().replace('.', '/') + "/" + FOLDER;
    try {
      Path classes =
          Path.of(Proofs.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(classes)) {
        return read(classes.resolve(folder));
      }
      try (FileSystem jar = FileSystems.newFileSystem(classes)) {
        return read(jar.getPath(folder));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the program lacks its results of tortures", e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("classes come from files", e);
    }
  }

  private static List<TortureResults> read(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.sorted().toList();
    }
    List<TortureResults> results = new ArrayList<>();
    for (Path file : files) {
      results.add(TortureResults.read(file));
    }
    return results;
  }

  /** Rounds of one fault, and findings that broke the guarantee. */
  private record Count(int rounds, int broken) {
    static final Count NONE = new Count(0, 0);

    Count plus(Count other) {
      return new Count(rounds + other.rounds, broken + other.broken);
    }
  }

  /**
   * Why a level is believed to hold, strongest first: {@code proven (kill 200, power 200, sector
   * 200 rounds)}, {@code tortured (kill 12 rounds), documented (address)}, {@code broken (sector: 1
   * finding in 12 rounds)} or what the engine declares. After it comes what happened on failing
   * disks, about which the level says nothing: {@code ; on failing disks eio: 2 findings in 200
   * rounds}.
   */
  public String words(EngineInfo engine, DurabilityMapping mapping) {
    Map<String, Count> counts = counts(engine, mapping.effective());
    Map<String, Count> failing = new TreeMap<>(counts);
    failing.keySet().retainAll(FAILING_DISKS);
    counts.keySet().removeAll(FAILING_DISKS);
    String words = words(mapping, counts);
    return failing.isEmpty() ? words : words + "; on failing disks " + findings(failing);
  }

  /** Whether a level was broken, on disks that work. */
  public boolean isBroken(EngineInfo engine, DurabilityMapping mapping) {
    return !breaking(engine, mapping).isEmpty();
  }

  /** The faults that broke a level, such as {@code power}, on disks that work. */
  public Set<String> breaking(EngineInfo engine, DurabilityMapping mapping) {
    Map<String, Count> counts = counts(engine, mapping.effective());
    counts.keySet().removeAll(FAILING_DISKS);
    counts.values().removeIf(each -> each.broken == 0);
    return Set.copyOf(counts.keySet());
  }

  private static String words(DurabilityMapping mapping, Map<String, Count> counts) {
    String declared = mapping.evidence().words();
    if (counts.isEmpty()) {
      return declared;
    }
    Map<String, Count> broken = new TreeMap<>(counts);
    broken.values().removeIf(each -> each.broken == 0);
    if (!broken.isEmpty()) {
      return "broken (" + findings(broken) + ")";
    }
    String rounds =
        counts.entrySet().stream()
            .map(each -> each.getKey() + " " + each.getValue().rounds)
            .collect(Collectors.joining(", "));
    boolean enough =
        needed(mapping.effective()).stream()
            .allMatch(fault -> counts.getOrDefault(fault, Count.NONE).rounds >= ENOUGH);
    return enough
        ? "proven (" + rounds + " rounds)"
        : "tortured (" + rounds + " rounds), " + declared;
  }

  private static String findings(Map<String, Count> counts) {
    return counts.entrySet().stream()
        .map(each ->
            "%s: %s in %d rounds"
                .formatted(each.getKey(), findings(each.getValue().broken), each.getValue().rounds))
        .collect(Collectors.joining(", "));
  }

  private static String findings(int count) {
    return count == 0 ? "no finding" : count == 1 ? "1 finding" : count + " findings";
  }

  private static List<String> needed(Durability level) {
    return level == Durability.PROCESS ? List.of("kill") : List.of("kill", "power", "sector");
  }

  private Map<String, Count> counts(EngineInfo engine, Durability level) {
    Map<String, Count> counts = new TreeMap<>();
    all.stream()
        .filter(each -> each.engine().equals(engine.name()))
        .filter(each -> each.version().equals(engine.version()))
        .filter(each -> StoreUrl.parse(each.url()).options().isEmpty())
        .flatMap(each -> each.lines().stream())
        .filter(line -> line.level().equals(level.word()))
        .filter(line -> line.demands() && line.rounds() > 0)
        .forEach(line ->
            counts.merge(line.fault(), new Count(line.rounds(), line.broken()), Count::plus));
    return counts;
  }
}

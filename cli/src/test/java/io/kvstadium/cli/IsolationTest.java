package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Engines in a folder, as in a distribution, each with its own class loader; laid out here from the
 * class path of the tests.
 */
class IsolationTest {
  /** The engines, and the prefixes of the names of the jars that each brings along. */
  private static final Map<String, List<String>> ENGINES =
      Map.of(
          "null", List.of(),
          "memory", List.of("pcollections-"),
          "sqlite", List.of("sqlite-jdbc-", "slf4j-"));

  private static final String WORD =
      """
      package clash;
      public class Word { public static String word() { return "WORD"; } }
      """;

  private static final String FAKE_ENGINE =
      """
      package clash;
      import io.kvstadium.store.engine.declare.DurabilityMapping;
      import io.kvstadium.store.engine.declare.EngineInfo;
      import io.kvstadium.store.engine.declare.Limits;
      import io.kvstadium.store.engine.*;
      import java.util.*;
      public class FakeEngine implements Engine {
        @Override public EngineInfo info() {
          return new EngineInfo(
              Word.word(), "Engine " + Word.word(), "1", "none", "", "", false, Set.of(),
              new Limits(1, 1), Map.of(io.kvstadium.store.Durability.NONE,
                  DurabilityMapping.none("")),
              List.of(), List.of(),
          false);
        }
        @Override public boolean exists(StoreConfig config) { return false; }
        @Override public EngineStore<?> open(StoreConfig config) {
          throw new UnsupportedOperationException();
        }
      }
      """;

  @TempDir private Path directory;
  private final Map<String, String> entryOf = new HashMap<>();
  private String rest = "";

  @BeforeEach
  void layOut() throws IOException {
    List<String> classPath =
        Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
    for (String entry : classPath) {
      String engine = engineIn(entry);
      if (engine != null) {
        entryOf.put(engine, entry);
      }
    }
    assertThat(entryOf).containsKeys("null", "memory", "sqlite");
    List<String> brought = ENGINES.values().stream().flatMap(List::stream).toList();
    rest =
        classPath.stream()
            .filter(entry -> !entryOf.containsValue(entry))
            .filter(entry ->
                brought.stream().noneMatch(Path.of(entry).getFileName().toString()::startsWith))
            .collect(Collectors.joining(File.pathSeparator));
    for (String engine : ENGINES.keySet()) {
      Path folder = Files.createDirectories(directory.resolve("home/engines").resolve(engine));
      putJar(Path.of(entryOf.get(engine)), folder.resolve("engine-" + engine + ".jar"));
      for (String entry : classPath) {
        Path jar = Path.of(entry);
        if (ENGINES.get(engine).stream().anyMatch(jar.getFileName().toString()::startsWith)) {
          Files.copy(jar, folder.resolve(jar.getFileName()));
        }
      }
    }
  }

  @Test
  void aUsersFolderAddsEnginesAndJarsToThem() throws IOException {
    // given a folder with its own engine, and one whose adapter is the distribution's
    Path own = directory.resolve("own");
    Files.move(
        directory.resolve("home/engines/memory"), Files.createDirectories(own).resolve("memory"));
    Path brought = Files.createDirectories(own.resolve("sqlite"));
    try (Stream<Path> jars = Files.list(directory.resolve("home/engines/sqlite"))) {
      for (Path jar : jars.filter(jar -> jar.toString().contains("sqlite-jdbc")).toList()) {
        Files.move(jar, brought.resolve(jar.getFileName()));
      }
    }

    Run without = distribution().run("engines", "sqlite");
    Run with = distribution().run("engines", "--engine-path", own, "memory", "sqlite");

    assertThat(without.out()).contains("Not available");
    assertThat(with.exit()).as(with.err()).isZero();
    assertThat(with.out()).contains("Memory 1", "SQLite 3").doesNotContain("Not available");
  }

  @Test
  void theEnginesOfADistributionAreListedAndABrokenOneHurtsNoOther() throws IOException {
    Path folder = Files.createDirectories(directory.resolve("home/engines/broken"));
    Files.writeString(folder.resolve("no.jar"), "this is no jar");
    Path wrong = Files.createDirectories(directory.resolve("home/engines/wrong"));
    putJar(Path.of(entryOf.get("null")), wrong.resolve("engine-null.jar"));

    Run list = distribution().run("engines");
    Run other = distribution().run("engines", "memory");
    Run itself = distribution().run("engines", "broken");

    assertThat(list.exit()).as(list.err()).isZero();
    assertThat(list.err()).isEmpty();
    assertThat(list.outLines().stream().skip(1).takeWhile(line -> !line.isEmpty()))
        .filteredOn(line -> !line.startsWith(" "))
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly("memory", "null", "sqlite");
    assertThat(list.out())
        .contains("Not installed:")
        .containsPattern("  lmdb: put kv-stadium-")
        .contains("Cannot be used as is:", "  broken: the folder of engine broken holds no engine")
        .contains(
            "  wrong: the folder of engine wrong holds engine null: give the folder that name");
    assertThat(other.exit()).isZero();
    assertThat(itself.exit()).isEqualTo(2);
    assertThat(itself.err()).contains("holds no engine").doesNotContain("\tat ");
  }

  @Test
  void anEngineThatIsNotUsedIsNotLoaded() throws IOException {
    // given an engine that ends the process as soon as it is loaded
    Path made = Files.createDirectories(directory.resolve("made"));
    Javac.compile(
        "FakeEngine.java",
        FAKE_ENGINE
            .replace(
                "public class FakeEngine",
                "class Bomb { static { Runtime.getRuntime().halt(99); } }\n"
                    + "public class FakeEngine")
            .replace("Word.word(), \"Engine \" + Word.word()", "\"bomb\", \"Bomb\" + new Bomb()"),
        made);
    Path services = Files.createDirectories(made.resolve("META-INF/services"));
    Files.writeString(services.resolve(Engine.class.getName()), "clash.FakeEngine");
    putJar(made, Files.createDirectories(directory.resolve("home/engines/bomb")).resolve("b.jar"));

    Run used = distribution().run("engines", "bomb");
    Run unused = distribution().run("engines", "memory");

    assertThat(used.exit()).isEqualTo(99);
    assertThat(unused.exit()).as(unused.err()).isZero();
  }

  @Tag("full")
  @Test
  void trialsRunWithThem() throws IOException {
    Files.writeString(
        directory.resolve("tiny.toml"),
        """
        name = "tiny"
        trials = 1
        heap = "128m"
        [[experiment]]
        [experiment.data]
        records = 100
        [[experiment.phase]]
        operation = "insert"
        [[experiment.configuration]]
        engine = "sqlite"
        """);

    Run run = distribution().run("bench", "tiny.toml", "--out", "o");

    assertThat(run.exit()).as(run.err()).isZero();
    Results results = ResultsFile.read(directory.resolve("o/results.json"));
    ConfigurationResult sqlite = results.experiments().getFirst().configurations().getFirst();
    assertThat(sqlite.trials())
        .singleElement()
        .satisfies(trial -> assertThat(trial.failure()).isNull());
    assertThat(results.audit()).as("the null engine was found, too").isNotNull();
  }

  @Test
  void aDistributionWithoutEnginesSaysSo() throws IOException {
    Files.createDirectories(directory.resolve("empty/engines"));

    Run run =
        new Cli(directory)
            .withClassPath(rest)
            .withProperty("stadium.home", directory.resolve("empty"))
            .run("engines", "rocksdb");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("stadium: unknown engine 'rocksdb'; there are: none");
  }

  @Test
  void eachEngineHasAClassLoaderOfItsOwn() throws IOException {
    // given two engines that bring along different classes clash.Word
    Path folder = directory.resolve("clashing");
    for (String word : List.of("cat", "dog")) {
      Path made = Files.createDirectories(directory.resolve("made-" + word));
      Javac.compile("Word.java", WORD.replace("WORD", word), made);
      Javac.compile("FakeEngine.java", FAKE_ENGINE, made);
      Path services = Files.createDirectories(made.resolve("META-INF/services"));
      Files.writeString(services.resolve(Engine.class.getName()), "clash.FakeEngine");
      putJar(made, Files.createDirectories(folder.resolve(word)).resolve("engine.jar"));
    }

    Engines engines = Engines.inFolders(List.of(folder));

    assertThat(engines.engine("cat").info().title()).isEqualTo("Engine cat");
    assertThat(engines.engine("dog").info().title()).isEqualTo("Engine dog");
    assertThat(engines.engine("cat").getClass().getName()).isEqualTo("clash.FakeEngine");
    assertThat(engines.engine("cat").getClass()).isNotEqualTo(engines.engine("dog").getClass());
  }

  private Cli distribution() {
    return new Cli(directory)
        .withClassPath(rest)
        .withProperty("stadium.home", directory.resolve("home"));
  }

  /** The engine whose adapter this entry of the class path holds, or {@code null}. */
  private static @Nullable String engineIn(String entry) {
    Path path = Path.of(entry);
    if (Files.isDirectory(path)) {
      Path services = path.resolve("META-INF/services").resolve(Engine.class.getName());
      Path module = path.getParent() == null ? null : path.getParent().getParent();
      return Files.exists(services) && module != null ? module.getFileName().toString() : null;
    }
    String name = path.getFileName().toString();
    String prefix = "kv-stadium-engine-";
    return name.startsWith(prefix) ? name.substring(prefix.length(), name.lastIndexOf('-')) : null;
  }

  /** Copies a jar, or makes one from a folder of classes. */
  private static void putJar(Path from, Path jar) throws IOException {
    if (!Files.isDirectory(from)) {
      Files.copy(from, jar);
      return;
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(
            new ZipEntry(from.relativize(file).toString().replace(File.separatorChar, '/')));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }
}

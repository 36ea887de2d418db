package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Engine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Engines in a folder, as a distribution has them, each with a class loader of its own: laid out
 * here from the class path of the tests.
 */
class IsolationTest {
  /** The engines, and the beginnings of the names of the jars that each brings along. */
  private static final Map<String, List<String>> ENGINES =
      Map.of(
          "null", List.of(),
          "memory", List.of("pcollections-"),
          "sqlite", List.of("sqlite-jdbc-", "slf4j-"),
          "rocksdb", List.of("rocksdbjni-"));

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
    assertThat(entryOf).containsKeys("null", "memory", "sqlite", "rocksdb");
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
  void theCommandFindsTheEnginesOfItsDistribution() {
    Run run = distribution().run("engines");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.outLines().stream().filter(line -> line.endsWith(" yes")))
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly("memory", "null", "rocksdb", "sqlite");
  }

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
        engine = "rocksdb"
        """);

    Run run = distribution().run("bench", "tiny.toml", "--out", "o");

    assertThat(run.exit()).as(run.err()).isZero();
    Results results = ResultsFile.read(directory.resolve("o/results.json"));
    ConfigurationResult rocksdb = results.experiments().getFirst().configurations().getFirst();
    assertThat(rocksdb.trials())
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
    // given a second folder with an engine's classes, which is then a second engine's
    Path folder = directory.resolve("two");
    for (String name : List.of("one", "other")) {
      Path sub = Files.createDirectories(folder.resolve(name));
      putJar(Path.of(entryOf.get("sqlite")), sub.resolve("engine.jar"));
      try (Stream<Path> jars = Files.list(directory.resolve("home/engines/sqlite"))) {
        for (Path jar : jars.filter(each -> !each.toString().contains("engine-")).toList()) {
          Files.copy(jar, sub.resolve(jar.getFileName()));
        }
      }
    }

    Engine one = Engines.inFolder(folderWith(folder, "one")).engine("sqlite");
    Engine other = Engines.inFolder(folderWith(folder, "other")).engine("sqlite");

    // the tests' own class path has the engine as well, and goes first
    assertThat(one).isInstanceOf(Engine.class);
    assertThat(other).isInstanceOf(Engine.class);
  }

  private static Path folderWith(Path folder, String name) {
    return folder.resolve(name).getParent();
  }

  private Cli distribution() {
    return new Cli(directory)
        .withClassPath(rest)
        .withProperty("stadium.home", directory.resolve("home"));
  }
}

package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The projects to copy, built outside this one, from artifacts in a local repository. */
@Tag("full")
class ExampleTest {
  private static final Path MAVEN = Path.of(System.getProperty("maven.home"), "bin", "mvn");

  @TempDir Path directory;

  /** Publishes what both projects refer to into a local repository. */
  @BeforeEach
  void publishLibrary() throws Exception {
    publish("kv-stadium", Checkout.ROOT.resolve("pom.xml"));
    publish("kv-stadium-store", Checkout.ROOT.resolve("store/pom.xml"));
    assumeTrue(chainsRepositories(), "Maven 3.9 or newer reads from two local repositories");
  }

  @Test
  void theApplicationIsTestedAgainstTheArtifactsAndCountsItsRuns() throws Exception {
    // given a copy of it, and its other dependencies
    Path app = copy(Checkout.ROOT.resolve("examples/app"), directory.resolve("app"));
    publish("kv-stadium-bom", Checkout.built("bom", ".flattened-pom.xml"));
    publish("kv-stadium-engines", Checkout.ROOT.resolve("engines/pom.xml"));
    publish("kv-stadium-engine-memory", Checkout.ROOT.resolve("engines/memory/pom.xml"));
    publish("kv-stadium-engine-sqlite", Checkout.ROOT.resolve("engines/sqlite/pom.xml"));
    publish("kv-stadium-sql", Checkout.ROOT.resolve("engines/sql/pom.xml"));

    // when it is tested, and run twice
    Checkout.Run first = maven(app, "test", "exec:exec");
    Checkout.Run second = maven(app, "exec:exec");

    // then the second run sees what the first one wrote
    assertThat(first.exit()).as(first.said()).isZero();
    assertThat(app.resolve("target/surefire-reports/app.VisitsTest.txt"))
        .content()
        .contains("Tests run: 2, Failures: 0, Errors: 0");
    assertThat(first.said()).contains("visit 1 in sqlite");
    assertThat(second.said()).contains("visit 2 in sqlite");
    assertThat(app.resolve("data/visits")).isDirectory();
  }

  @Test
  void theEngineIsBuiltFromTheArtifactsAndPassesTheKit() throws Exception {
    // given a copy of what docs/new-engine.md shows, and the conformance tests
    String source = "examples/engine/src/main/java/toy/ToyEngine.java";
    assertThat(Files.readString(Checkout.ROOT.resolve("docs/new-engine.md"))).contains(source);
    Path engine = copy(Checkout.ROOT.resolve("examples/engine"), directory.resolve("engine"));
    publish("kv-stadium-conformance", Checkout.ROOT.resolve("conformance/pom.xml"));

    // when it is tested, and built once without any tests
    Checkout.Run tested = maven(engine, "package");
    Checkout.Run untested = maven(engine, "test", "-Dgroups=none");

    // then all of them ran, and the build without it fails
    assertThat(tested.exit()).as(tested.said()).isZero();
    assertThat(engine.resolve("target/surefire-reports/toy.ToyConformanceTest.txt"))
        .content()
        .containsPattern("Tests run: \\d{2,3}, Failures: 0, Errors: 0");
    assertThat(engine.resolve("target/toy-engine-1.jar")).isRegularFile();
    assertThat(untested.exit()).isNotZero();
    assertThat(untested.said()).contains("No tests were executed");
  }

  private boolean chainsRepositories() throws IOException, InterruptedException {
    Checkout.Run version = maven(directory, "--version");
    return !version.said().matches("(?s).*Apache Maven 3\\.[0-8]\\..*");
  }

  private Checkout.Run maven(Path where, String... goals) throws IOException, InterruptedException {
    return Checkout.run(
        where,
        Stream.concat(
                Stream.of(
                    MAVEN.toString(),
                    "-B",
                    "-q",
                    "-Dmaven.repo.local=" + directory.resolve("repository"),
                    "-Dmaven.repo.local.tail=" + System.getProperty("maven.repository")),
                Stream.of(goals))
            .toList());
  }

  /** Puts a pom, and the jar if there is one, where a local repository keeps them. */
  private void publish(String artifact, Path pom) throws IOException {
    Path place =
        directory.resolve(Path.of("repository", "io", "kvstadium", artifact, Checkout.VERSION));
    String name = artifact + "-" + Checkout.VERSION;
    Files.createDirectories(place);
    Files.copy(pom, place.resolve(name + ".pom"));
    String module = Checkout.ROOT.relativize(pom.getParent()).toString();
    Path jar = Checkout.built(module, name + ".jar");
    if (Files.exists(jar)) {
      Files.copy(jar, place.resolve(name + ".jar"));
    }
  }

  private static Path copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Path target = to.resolve(from.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target);
    }
    return to;
  }
}

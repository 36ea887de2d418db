package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.store.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance tests on an engine that a user dropped in: the smallest one, from its sources.
 */
class CheckTest {
  private static final Path SOURCE =
      Repository.root().resolve("examples/engine/src/main/java/toy/ToyEngine.java");

  @TempDir Path directory;
  private Path engines;

  @BeforeEach
  void dropIn() throws IOException {
    engines = directory.resolve("engines");
    drop(Repository.text(SOURCE));
  }

  @Tag("full")
  @Test
  void anEngineThatPassedIsVerifiedUntilItsJarChanges() throws IOException {
    // given an engine that nobody checked
    assertThat(cli().run("engines", "toy", "--engine-path", engines).out())
        .contains("not verified");

    // when it passes
    Run checked = cli().run("check", "toy", "--engine-path", engines);

    assertThat(checked.exit()).as(checked.out() + checked.err()).isZero();
    assertThat(checked.outLines().getFirst()).matches("Passed: \\d+ passed, 0 failed, .*");
    assertThat(checked.out()).contains("no atomic batches (");
    assertThat(checked.outLines()).as("one screen").hasSizeLessThan(24);
    assertThat(cli().run("engines", "--engine-path", engines).out()).doesNotContain("not verified");

    // and is then replaced by another one
    drop(Repository.text(SOURCE).replace("\"Toy\"", "\"Toy 2\""));
    assertThat(cli().run("engines", "--engine-path", engines).out()).contains("not verified");
  }

  @Test
  void aFaultIsNamedInASentenceWithTheWayToRepeatIt() throws IOException {
    drop(
        Repository.text(SOURCE)
            .replace("map.put(key.clone(), value.clone())", "map.put(key, value)"));

    Run run =
        cli()
            .run("check", "toy", "--engine-path", engines, "--tests", "storeBehaves*", "--seed", 7);

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.outLines().getFirst()).startsWith("Not passed: 0 passed, 1 failed");
    assertThat(run.out())
        .contains("broken: 'store behaves like sorted maps'")
        .contains(
            "again: ./stadium check toy --engine-path "
                + engines
                + " --tests storeBehavesLikeSortedMaps --seed 7")
        .doesNotContain("\tat ");
  }

  @Test
  void whatCannotBeRunIsAMistakeAndNoPass() throws IOException {
    Path empty = Files.createDirectories(directory.resolve("empty/toy")).getParent();

    try (Resident stadium = new Resident(directory)) {
      Run noTest = stadium.run("check", "toy", "--engine-path", engines, "--tests", "nothingSuch");
      Run noEngine = stadium.run("check", "tox", "--engine-path", engines);
      Run noJars = stadium.run("check", "toy", "--engine-path", empty);
      Run tooDeep = stadium.run("engines", "--engine-path", engines.resolve("toy"));
      Run badOption =
          stadium.run("check", "toy", "--engine-path", engines, "--url-options", "type=x");

      assertThat(Stream.of(noTest, noEngine, noJars, tooDeep, badOption).map(Run::exit))
          .containsOnly(2);
      assertThat(noTest.err()).contains("no conformance test is called 'nothingSuch'");
      assertThat(noEngine.err()).contains("unknown engine 'tox'", "did you mean");
      assertThat(noJars.err()).contains("holds no engine: an engine NAME is a subfolder NAME");
      assertThat(tooDeep.err()).contains("holds jars itself: name the folder above it");
      assertThat(badOption.err()).contains("type");
    }
  }

  @Tag("ci")
  @Test
  void twoVersionsOfAnEngineAreMeasuredInTheSameRoundsAndJudged() throws IOException {
    // given a version in which reads take a millisecond more
    Path before = Files.move(engines, directory.resolve("before"));
    drop(
        Repository.text(SOURCE)
            .replace(
                "byte[] value = map.get(key);",
                "java.util.concurrent.locks.LockSupport.parkNanos(1_000_000); byte[] value = map.get(key);"));
    Files.writeString(
        directory.resolve("reads.toml"),
        """
        name = "reads"
        trials = 5
        heap = "128m"
        [[experiment]]
        [experiment.data]
        records = 300
        [[experiment.phase]]
        operation = "insert"
        [[experiment.phase]]
        operation = "get"
        [[experiment.configuration]]
        engine = "toy"
        """);

    String slower = "throughput(get)<-50%";
    Run broken = versions(before, engines, slower, "broken");
    Run better = versions(engines, before, slower, "better");
    Run again = cli().run("compare", "broken", "--fail-on", slower);
    Run same = versions(before, before, slower, "same");
    Run elsewhere = versions(before, engines, "throughput(gte)<-50%", "elsewhere");

    assertThat(broken.exit()).as(broken.err()).isEqualTo(1);
    assertThat(broken.err()).contains("reads, toy, get");
    assertThat(again.exit()).isEqualTo(1);
    assertThat(better.exit()).as(better.err()).isZero();
    assertThat(same.exit()).isEqualTo(2);
    assertThat(same.err()).contains("all engines of this suite are the same");
    assertThat(elsewhere.exit()).isEqualTo(2);
    assertThat(elsewhere.err()).contains("'gte'; phases are insert, get");
    assertThat(directory.resolve("elsewhere")).doesNotExist();
  }

  private Run versions(Path before, Path after, String condition, String out) {
    return cli()
        .run(
            "bench",
            "reads.toml",
            "--engines",
            "toy",
            "--engine-path",
            after,
            "--against",
            before,
            "--fail-on",
            condition,
            "--durability",
            "none",
            "--out",
            out);
  }

  @Tag("ci")
  @Test
  void resultsSayThatAnEngineIsNotVerified() throws IOException {
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
        engine = "toy"
        """);

    Run run =
        cli()
            .run(
                "bench",
                "tiny.toml",
                "--engine-path",
                engines,
                "--out",
                "o",
                "--durability",
                "none");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(ResultsFile.read(directory.resolve("o/results.json")).findings())
        .filteredOn(finding -> finding.subject().equals("toy"))
        .extracting(Finding::message)
        .singleElement()
        .asString()
        .contains("not verified", "./stadium check toy");
    assertThat(run.out()).contains("toy: not verified");
  }

  private Cli cli() {
    return new Cli(directory).withProperty("user.home", directory.resolve("home"));
  }

  /** Compiles the engine and puts its jar where the command looks for it. */
  private void drop(String source) throws IOException {
    Path made = Files.createDirectories(directory.resolve("made"));
    Javac.compile("ToyEngine.java", source, made);
    Path services = Files.createDirectories(made.resolve("META-INF/services"));
    Files.writeString(services.resolve(Engine.class.getName()), "toy.ToyEngine");
    Path jar = Files.createDirectories(engines.resolve("toy")).resolve("toy.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(made)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(made.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }
}

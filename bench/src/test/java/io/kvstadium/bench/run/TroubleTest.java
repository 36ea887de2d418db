package io.kvstadium.bench.run;

import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static io.kvstadium.bench.plan.Suites.suite;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.MisbehavingEngine;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Suites;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trial that dies, hangs or fills the disk is a finding, not the end of the run. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class TroubleTest {
  private static final long WATCHDOG_SECONDS = 10;

  @TempDir Path directory;

  private static final class Silent implements Watcher {
    @Override
    public void progress(
        String configuration, int number, String phase, double done, double secondsLeft) {}

    @Override
    public void trialEnded(Results results) {}
  }

  private static Configuration doing(String deed, Path out) {
    return new Configuration(
        deed,
        MisbehavingEngine.NAME,
        Map.of("deed", deed, "file", out.resolve("stores/trial/data").toString()),
        Durability.NONE,
        Access.SINGLE,
        "equal");
  }

  private static Results run(Path out, String... deeds) {
    Engines engines = Engines.of(List.of(new MisbehavingEngine()));
    Configuration[] configurations =
        Stream.of(deeds).map(deed -> doing(deed, out)).toArray(Configuration[]::new);
    List<PhaseSpec> phases = List.of(phase(Operation.INSERT), phase(Operation.GET));
    Plan plan = Suites.plan(suite(1, 0, experiment("one", phases, configurations)), 0, engines);
    return Runners.of(
            engines, Suites.settings(out), Runners.executor(WATCHDOG_SECONDS), new Silent(), "1")
        .run(plan);
  }

  private static String failure(Results results, String name) {
    return results.experiments().getFirst().configurations().stream()
        .filter(each -> each.name().equals(name))
        .map(ConfigurationResult::trials)
        .map(List::getFirst)
        .map(TrialResult::failure)
        .map(String::valueOf)
        .findFirst()
        .orElseThrow();
  }

  private static void assertFound(Results results, String name, String words) {
    assertThat(failure(results, name)).contains(words);
  }

  @Test
  void deathAndHangingAreSaidAndTheRunGoesOn() {
    Results results = run(directory.resolve("out"), "halt", "hang", "none");

    assertThat(results.complete()).isTrue();
    assertFound(results, "halt", "ended with exit code 42");
    assertFound(results, "hang", "it hung");
    assertThat(failure(results, "none")).isEqualTo("null");
  }

  @Test
  void aFullDiskIsSaidAndTheRunGoesOn() throws IOException, InterruptedException {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    Needs.that(
        ended("mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", disk.toString()) == 0,
        "root, to mount a small file system");
    try {
      Results results = run(disk.resolve("out"), "fill", "none");

      assertThat(results.complete()).isTrue();
      assertFound(results, "fill", "the store cannot grow");
      assertThat(failure(results, "none")).isEqualTo("null");
      assertThat(ResultsFile.read(disk.resolve("out/results.json"))).isEqualTo(results);
    } finally {
      ended("umount", disk.toString());
    }
  }

  private static int ended(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (IOException e) {
      return -1; // there is no such command here
    }
  }
}

package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.http.HttpFuzz;
import io.kvstadium.server.imports.DumpFuzz;
import io.kvstadium.server.imports.RdbFileFuzz;
import io.kvstadium.server.protocol.RequestFuzz;
import io.kvstadium.testsupport.Randomness;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Input that a fuzzer makes, guided by the code that it reaches: for a few seconds each, times
 * {@code -Dstadium.multiplier}. It starts with the corpus of earlier runs in the test's resources;
 * new findings are left in {@code target/fuzz}.
 */
@Tag("full")
class FuzzTest {
  /** With a multiplier of 1. */
  private static final int SECONDS = 3;

  /** What Jazzer reports but is right here: connections to our server, and Netty's own buffers. */
  private static final List<String> LEFT_OUT =
      List.of(
          "com.code_intelligence.jazzer.sanitizers.ServerSideRequestForgery",
          "com.code_intelligence.jazzer.sanitizers.UnsafeSanitizer");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      classes = {
        RequestFuzz.class,
        DumpFuzz.class,
        RdbFileFuzz.class,
        HttpFuzz.class,
        CommandFuzz.class
      })
  void noInputDoesHarm(Class<?> target) throws Exception {
    Path found = Files.createDirectories(Path.of("target", "fuzz", target.getSimpleName()));
    Path log = directory.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-X") || argument.startsWith("--"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + target.getName());
    command.add("--instrumentation_includes=io.kvstadium.**");
    command.add("--disabled_hooks=" + String.join(":", LEFT_OUT));
    command.add("--reproducer_path=" + directory);
    command.add("-artifact_prefix=" + directory + "/");
    command.add("-seed=" + (Randomness.seed(target.getName()) & 0x7fff_ffff));
    command.add("-max_total_time=" + Randomness.times(SECONDS));
    command.addAll(List.of(found.toString(), kept(target).toString()));

    Process fuzzer =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(fuzzer.waitFor()).as(() -> end(log)).isZero();
    } finally {
      fuzzer.destroyForcibly();
    }
  }

  private Path kept(Class<?> target) throws IOException {
    Path kept = Files.createDirectory(directory.resolve("kept"));
    String name = "fuzz/" + target.getSimpleName() + ".zip";
    try (ZipInputStream inputs =
        new ZipInputStream(
            Objects.requireNonNull(FuzzTest.class.getResourceAsStream(name), name))) {
      for (ZipEntry each = inputs.getNextEntry(); each != null; each = inputs.getNextEntry()) {
        Files.copy(inputs, kept.resolve(Path.of(each.getName()).getFileName()));
      }
    }
    return kept;
  }

  /** What the log says about a finding. */
  private static String end(Path log) {
    try {
      String said = Files.readString(log);
      return said.substring(Math.max(0, said.indexOf("== Java Exception")));
    } catch (IOException e) {
      return e.toString();
    }
  }
}

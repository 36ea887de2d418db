package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Torture at a terminal whose user presses Ctrl-C, and on machines that lack devices. */
class TortureSurroundingsTest {
  private static final Path EXAMPLES = Repository.root().resolve("examples/torture");

  @TempDir private Path directory;
  @TempDir private Path temporary;

  private Cli cli() {
    return new Cli(directory).withProperty("java.io.tmpdir", temporary);
  }

  private static List<Object> counter(String faults, int rounds) {
    return List.of(
        "torture",
        "--program",
        "sh " + EXAMPLES.resolve("counter.sh") + " {dir}",
        "--check",
        "sh " + EXAMPLES.resolve("counter-check.sh") + " {dir}",
        "--faults",
        faults,
        "--rounds",
        rounds);
  }

  /** Presses Ctrl-C after a round. */
  private void isInterruptedInOrder(Fault fault, Object... arguments) throws Exception {
    Needs.none(FaultInjectors.unavailable(fault));
    try (Pty terminal = new Pty(directory, cli().line(arguments))) {
      terminal.await(" %, "); // one has ended
      List<ProcessHandle> processes = terminal.processes();
      terminal.type("\u0003");

      assertThat(terminal.rest())
          .contains("Interrupted: this shows only what was finished.")
          .containsPattern("(?m)" + fault.word() + " +[1-9][0-9]* .* (held|kept)")
          .doesNotContain("Exception", "stadium: ");
      assertThat(terminal.exit()).isEqualTo(130);
      assertThat(processes)
          .isNotEmpty()
          .allSatisfy(each -> assertThat(each.onExit()).succeedsWithin(Duration.ofSeconds(20)));
    }
    assertThat(temporary).isEmptyDirectory();
    assertThat(imagesOfLoopDevices()).noneMatch(image -> image.startsWith(temporary.toString()));
  }

  private static List<String> imagesOfLoopDevices() throws IOException {
    try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
      return devices
          .map(device -> device.resolve("loop/backing_file"))
          .filter(Files::exists)
          .map(TortureSurroundingsTest::text)
          .toList();
    }
  }

  /** Empty for what has just gone. */
  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void ctrlCShowsWhatWasDoneToAProgramAndLeavesNothing() throws Exception {
    isInterruptedInOrder(Fault.KILL, counter("kill,sector", 1000).toArray());
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"POWER", "SECTOR", "FULL", "EIO"})
  void ctrlCLeavesNoDiskEither(Fault fault) throws Exception {
    isInterruptedInOrder(fault, counter(fault.word(), 1000).toArray());
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(names = {"KILL", "SECTOR"})
  void ctrlCShowsWhatWasDoneToAStoreAndLeavesNothing(Fault fault) throws Exception {
    isInterruptedInOrder(
        fault, "torture", "sqlite:", "--faults", fault.word(), "--durability", "power");
  }

  /** Runs where there are only these devices, each with its type and numbers. */
  private Cli.Run runWithDevices(List<String> devices, String faults) throws IOException {
    Needs.none(FaultInjectors.unavailable(Fault.SECTOR));
    StringBuilder script = new StringBuilder("set -e\nmount -t tmpfs none /dev\n");
    devices.forEach(each -> script.append("mknod -m 666 /dev/").append(each).append('\n'));
    script.append("exec ").append(cli().line(counter(faults, 2).toArray())).append('\n');
    Path file = Files.writeString(directory.resolve("script"), script);
    return cli().sh("unshare --mount sh '" + file + "'");
  }

  @Test
  void sectorNeedsNoLoopDeviceAndADiskInMemoryFillsUpWithoutOne() throws IOException {
    Cli.Run run =
        runWithDevices(
            List.of("null c 1 3", "random c 1 8", "urandom c 1 9", "fuse c 10 229"),
            "power,sector,full");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^power +skipped: this system does not allow it \\(.*loop")
        .containsPattern("(?m)^sector +2 .*held$")
        .containsPattern("(?m)^full +2 .*held$");
  }

  @Test
  void aMissingDeviceIsNamedWithWhatToDo() throws IOException {
    Cli.Run run =
        runWithDevices(List.of("null c 1 3", "random c 1 8", "urandom c 1 9"), "kill,sector");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("sector  skipped: the device /dev/fuse is missing: load ")
        .doesNotContain("Exception");
  }
}

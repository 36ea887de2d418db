package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kvstadium.bench.machine.OtherPrograms.Ticks;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherProgramsTest {
  @TempDir Path root;

  /** As the kernel writes it: user, nice, system, idle, I/O wait, interrupts, stolen, guests. */
  private OtherPrograms with(String machine, String own) {
    return new OtherPrograms(
        new FakeSystem(root)
            .with("/proc/stat", "cpu  " + machine + "\ncpu0 1 2 3\n")
            .with(
                "/proc/self/stat", "7 (a (b) c) S 1 7 7 0 -1 4194304 1 2 3 4 " + own + " 20 0 9\n")
            .files());
  }

  @Test
  void whatNeitherTheRunNorItsTrialsTookIsOfOthers() {
    Ticks before = with("100 10 20 1000 30 1 2 5 50 0", "1 2 30 4").now();
    // 200 more: 110 busy, of which 80 are ours
    Ticks after = with("190 10 30 1060 50 6 7 10 90 0", "11 12 80 14").now();

    assertThat(after.shareSince(before)).isCloseTo(30.0 / 195, within(1e-9));
  }

  @Test
  void nothingIsKnownWhereTheSystemDoesNotTell() {
    Ticks none = new OtherPrograms(new FakeSystem(root).files()).now();

    assertThat(none.shareSince(none)).isZero();
    assertThat(none).isEqualTo(new Ticks(0, 0));
  }

  @Test
  void thisSystemTellsWhereItIsLinux() {
    Ticks now = new OtherPrograms().now();

    assertThat(now.all() > 0).isEqualTo(System.getProperty("os.name").equals("Linux"));
  }
}

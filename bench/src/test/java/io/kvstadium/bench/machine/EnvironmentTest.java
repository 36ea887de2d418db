package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a machine that is made up, file by file. */
class EnvironmentTest {
  @TempDir private Path root;
  @TempDir private Path directory;
  private FakeSystem system;

  @BeforeEach
  void aGoodMachine() {
    system = new FakeSystem(root);
    mounted("ext4", "/dev/nvme0n1p2");
    system
        .with("/proc/cpuinfo", "processor : 0\nmodel name\t: A Fast One\n")
        .with("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\n")
        .with("/proc/swaps", "Filename Type Size Used Priority\n")
        .with("/proc/meminfo", "MemTotal:       4194304 kB\n")
        .with("/proc/self/limits", "Limit Soft Hard Units\nMax open files   65536  65536 files\n")
        .with("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n")
        .with("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
        .with("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  }

  private void mounted(String type, String source) {
    system.with(
        "/proc/self/mountinfo",
        "27 1 259:2 / / rw,relatime - " + type + " " + source + " rw,discard\n");
  }

  private Environment environment() {
    return new Environment(system.files(), directory);
  }

  /** Without what this machine's own disk and neighbours are like. */
  private List<Finding> findings() {
    return environment().check(1_000, 1, 0).stream()
        .filter(each -> !each.message().contains("written and synced"))
        .toList();
  }

  private static List<Level> levels(Consumer<List<Finding>> check) {
    List<Finding> found = new ArrayList<>();
    check.accept(found);
    return found.stream().map(Finding::level).toList();
  }

  @Test
  void aGoodMachineHasNoFindingButThatTheDataIsSmall() {
    assertThat(findings())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.NOTE);
          assertThat(each.message()).contains("the data fits into memory");
        });
  }

  @Test
  void withALimitTheDataIsComparedWithThat() {
    assertThat(environment().check(1_000, 1, 999))
        .noneMatch(each -> each.message().contains("the data fits into memory"));
  }

  @Test
  void theMachineIsNamed() {
    var machine = environment().machine();

    assertThat(machine.cpu()).isEqualTo("A Fast One");
    assertThat(machine.fileSystem()).isEqualTo("ext4");
    assertThat(machine.device()).isEqualTo("/dev/nvme0n1p2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /proc/swaps | Filename~/dev/sda2 partition 1 0 -2 | swap is on | swapoff -a
          /proc/stat | cpu 100 0 100 700 0 0 0 100 0 0 | have taken 10 % | run more trials
          /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor | powersave | 'powersave' | cpupower frequency-set
          /sys/devices/system/clocksource/clocksource0/current_clocksource | hpet | comes from 'hpet' | clocksource=tsc
          /proc/self/limits | Max open files 1024 524288 files | no more than 1024 files | ulimit -Hn
          """)
  void whatSpoilsFiguresIsAWarningThatSaysWhatToDo(
      String file, String text, String found, String advice) {
    system.with(file, text.replace('~', '\n') + "\n");

    assertThat(findings())
        .filteredOn(each -> each.level() == Level.WARNING)
        .singleElement()
        .satisfies(each -> assertThat(each.message()).contains(found).contains(advice));
  }

  @ParameterizedTest
  @CsvSource({
    "tmpfs,in memory,WARNING",
    "nfs4,on the network (nfs4),WARNING",
    "overlay,on an overlay,NOTE"
  })
  void aFileSystemThatSpoilsFiguresIsSaid(String type, String found, Level level) {
    mounted(type, "x");

    assertThat(findings())
        .anySatisfy(each -> {
          assertThat(each.level()).isEqualTo(level);
          assertThat(each.message()).contains(found).contains("--out");
        });
  }

  @Test
  void hugePagesAlwaysAreANote() {
    system.with("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");

    assertThat(findings())
        .anySatisfy(each -> {
          assertThat(each.level()).isEqualTo(Level.NOTE);
          assertThat(each.message()).contains("transparent huge pages").contains("'madvise'");
        });
  }

  @Test
  void moreThreadsThanCoresAreANote() {
    int cores = Runtime.getRuntime().availableProcessors();

    assertThat(environment().check(1_000, cores, 0))
        .noneMatch(each -> each.message().contains("threads work"));
    assertThat(environment().check(1_000, cores + 1, 0))
        .filteredOn(each -> each.level() == Level.NOTE)
        .extracting(Finding::message)
        .anyMatch(each -> each.contains(cores + 1 + " threads work on " + cores + " cores"));
  }

  @Test
  void aBusyMachineIsAWarning() {
    assertThat(levels(found -> environment().others(found, 0.9))).containsExactly(Level.WARNING);
    assertThat(levels(found -> environment().others(found, 0.05))).isEmpty();
  }

  @Test
  void guestTimeIsAlreadyInUserTime() {
    system.with("/proc/stat", "cpu  100 0 100 770 0 0 0 30 900 900\n");

    assertThat(findings())
        .extracting(Finding::message)
        .anyMatch(each -> each.contains("taken 3 %"));
  }

  @Test
  void withoutStatNothingIsStolen() {
    system.with("/proc/stat", "");

    assertThat(findings()).noneMatch(each -> each.level() == Level.WARNING);
  }

  @ParameterizedTest
  @CsvSource({"ext4,19999,true", "ext4,20000,false", "tmpfs,100,false"})
  void aDiskThatSyncsFasterThanDisksDoIsDoubted(String type, long nanos, boolean doubted) {
    mounted(type, "x");

    assertThat(levels(found -> environment().syncs(found, nanos)))
        .isEqualTo(doubted ? List.of(Level.NOTE) : List.of());
  }

  @Test
  void nothingIsLeftOnTheDisk() {
    new Environment(directory).check(1_000, 1, 0);

    assertThat(directory).isEmptyDirectory();
  }
}

package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.machine.Availability.Unavailable;
import io.kvstadium.bench.machine.Check.Grade;
import io.kvstadium.bench.machine.PageCache.Way;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        .with("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n")
        .with("/sys/dev/block/259:2/queue/rotational", "0\n")
        .with("/sys/dev/block/259:2/queue/write_cache", "write through\n")
        .with("/sys/dev/block/259:2/device/model", "Quick Disk 9000\n");
  }

  private void mounted(String type, String source) {
    system.with(
        "/proc/self/mountinfo",
        "27 1 259:2 / / rw,relatime - " + type + " " + source + " rw,discard\n");
  }

  private List<Finding> findings() {
    return new Environment(system.files(), directory).check(1_000, 1, 0);
  }

  private DiskChecks disk() {
    return new DiskChecks(system.files(), directory);
  }

  private ProcessorChecks processor() {
    return new ProcessorChecks(system.files());
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
    assertThat(new Environment(system.files(), directory).check(1_000, 1, 999))
        .noneMatch(each -> each.message().contains("the data fits into memory"));
  }

  @Test
  void theMachineIsNamed() {
    var machine = new Environment(system.files(), directory).machine();

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
          assertThat(each.message()).contains(found).contains("use --out");
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

    assertThat(processor().quick(cores)).noneMatch(each -> each.found().contains("threads work"));
    assertThat(processor().quick(cores + 1))
        .anySatisfy(each -> {
          assertThat(each.grade()).isEqualTo(Grade.NOTE);
          assertThat(each.found()).contains(cores + 1 + " threads work on " + cores + " cores");
        });
  }

  @Test
  void aBusyMachineIsAWarning() {
    assertThat(processor().others(0.9).getFirst().grade()).isEqualTo(Grade.WARNING);
    assertThat(processor().others(0.05).getFirst().grade()).isEqualTo(Grade.OK);
    assertThat(processor().others(0).getFirst().grade()).isEqualTo(Grade.OK);
  }

  @Test
  void stealIsThatOfTheTimeBetweenTwoLooks() {
    ProcessorChecks.Times before = processor().times();
    system.with("/proc/stat", "cpu  150 0 100 800 0 0 0 50 0 0\n");

    assertThat(processor().times().since(before).stolenShare()).isEqualTo(0.5);
    assertThat(processor().steal(processor().times().since(before), "lately").getFirst().found())
        .contains("50 % of its processor time lately");
    // guest time is already included in user time
    system.with("/proc/stat", "cpu  100 0 100 800 0 0 0 0 900 900\n");
    assertThat(processor().times().all()).isEqualTo(1000);
  }

  @Test
  void withoutStatNothingIsStolen() {
    system.with("/proc/stat", "");

    assertThat(processor().times().stolenShare()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"25,OK", "99,OK", "101,WARNING", "2000,WARNING"})
  void aSlowClockIsAWarning(double nanos, Grade grade) {
    assertThat(processor().timer(nanos)).extracting(Check::grade).containsExactly(grade);
  }

  @ParameterizedTest
  @CsvSource({"5000,WARNING", "19999,WARNING", "20000,OK", "900000,OK"})
  void aDiskThatSyncsFasterThanDisksDoIsDoubted(long nanos, Grade grade) {
    assertThat(disk().syncs(nanos))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.grade()).isEqualTo(grade);
          assertThat(each.found()).contains("4 KiB written and synced in");
        });
  }

  @Test
  void inMemoryThereIsNoDiskToDoubt() {
    mounted("tmpfs", "tmpfs");

    assertThat(disk().syncs(100)).extracting(Check::grade).containsExactly(Grade.OK);
  }

  @Test
  void theDeviceIsThatOfTheMount() {
    assertThat(disk().device())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.grade()).isEqualTo(Grade.OK);
          assertThat(each.found()).contains("Quick Disk 9000").contains("write through");
        });
  }

  @Test
  void aPartitionIsOfItsDisk() throws IOException {
    // given 259:2 as a link to a partition, as the system has it
    system
        .with("/sys/devices/sda/queue/rotational", "1\n")
        .with("/sys/devices/sda/sda1/partition", "1\n");
    system.clear(system.path("/sys/dev/block/259:2/queue"));
    system.clear(system.path("/sys/dev/block/259:2/device"));
    system.clear(system.path("/sys/dev/block/259:2"));
    Files.delete(system.path("/sys/dev/block/259:2"));
    Files.createSymbolicLink(
        system.path("/sys/dev/block/259:2"), system.path("/sys/devices/sda/sda1"));

    assertThat(disk().device())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.grade()).isEqualTo(Grade.NOTE);
          assertThat(each.found()).startsWith("sda").contains("rotating");
        });
  }

  @Test
  void whatHasNoDeviceIsNotGuessed() {
    system.with("/proc/self/mountinfo", "27 1 0:30 / / rw - btrfs /dev/sdb rw\n");

    assertThat(disk().device().getFirst().found()).contains("cannot be determined: /dev/sdb");
  }

  @Test
  void tooLittleSpaceIsAWarning() {
    Checks checks = new Checks("disk");
    DiskChecks.space(checks, "/data", 5L << 20, 6L << 20);
    DiskChecks.space(checks, "/data", 6L << 20, 6L << 20);

    assertThat(checks.list()).extracting(Check::grade).containsExactly(Grade.WARNING, Grade.OK);
    assertThat(checks.list().getFirst().finding().message())
        .isEqualTo(
            "/data has 5 MiB free, and a store may need 6 MiB; free some, lower --scale, or use"
                + " --out with another disk");
  }

  @ParameterizedTest
  @CsvSource({"DROP_CACHES,OK", "POSIX_FADVISE,NOTE", "NONE,NOTE"})
  void coldRunsArePossibleOrNot(Way way, Grade grade) {
    assertThat(DiskChecks.cold(way)).extracting(Check::grade).containsExactly(grade);
  }

  @Test
  void whyThereIsNoMemoryLimitIsSaid() {
    assertThat(MemoryChecks.limits(new Unavailable("a reason", "some advice")))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.grade()).isEqualTo(Grade.NOTE);
          assertThat(each.found()).contains("a reason");
          assertThat(each.advice()).isEqualTo("some advice");
        });
  }

  @Test
  void theExaminationLooksAtEverythingAndLeavesNothing() throws Exception {
    List<Check> checks = new Environment(directory).examine();

    assertThat(checks)
        .extracting(Check::name)
        .contains(
            "cores",
            "governor",
            "clock source",
            "other programs",
            "timer",
            "neighbours",
            "size",
            "swap",
            "huge pages",
            "--memory",
            "file system",
            "free space",
            "device",
            "sync",
            "cold runs",
            "Java",
            "open files");
    assertThat(checks).allMatch(each -> !each.found().isEmpty());
    assertThat(directory).isEmptyDirectory();
  }
}

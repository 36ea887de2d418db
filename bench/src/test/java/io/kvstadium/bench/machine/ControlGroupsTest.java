package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.machine.Availability.Available;
import io.kvstadium.bench.machine.Availability.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With hierarchies that are plain files. */
class ControlGroupsTest {
  private static final String FIRST = "/sys/fs/cgroup/memory";
  private static final String SECOND = "/sys/fs/cgroup";
  private static final long LIMIT = 128L << 20;
  private static final long PID = ProcessHandle.current().pid();

  @TempDir private Path root;
  private FakeSystem system;

  @BeforeEach
  void layOut() {
    system = new FakeSystem(root);
  }

  private void first(String group) {
    system
        .with(
            "/proc/self/mountinfo",
            """
            31 23 0:28 / /sys/fs/cgroup rw shared:9 - tmpfs tmpfs rw,mode=755
            35 31 0:32 / /sys/fs/cgroup/memory rw shared:15 - cgroup cgroup rw,memory
            41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
            """)
        .with("/proc/self/cgroup", "5:devices:/\n4:memory:" + group + "\n0::/\n")
        .with("/sys/fs/cgroup/unified/cgroup.controllers", "hugetlb\n")
        .with(FIRST + group + "/cgroup.procs", "");
  }

  private void second(String group, String handedDown) {
    system
        .with(
            "/proc/self/mountinfo",
            "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n")
        .with("/proc/self/cgroup", "0::" + group + "\n")
        .with(SECOND + "/cgroup.controllers", "cpu io memory pids\n")
        .with(SECOND + group + "/cgroup.controllers", handedDown)
        .with(SECOND + group + "/cgroup.procs", "");
  }

  private ControlGroup create() throws IOException {
    return parent().create("trial 1/x", LIMIT);
  }

  private ControlGroups parent() {
    Availability found = ControlGroups.find(system.files());
    assertThat(found).isInstanceOf(Available.class);
    return ((Available) found).parent();
  }

  private Unavailable unavailable() {
    Availability found = ControlGroups.find(system.files());
    assertThat(found).isInstanceOf(Unavailable.class);
    return (Unavailable) found;
  }

  @Test
  void versionOneIsFoundWhereThisProcessIs() throws IOException {
    first("/app/1");

    assertThat(parent().describe()).startsWith("control groups v1").endsWith("memory/app/1");
    ControlGroup group = create();

    String path = FIRST + "/app/1/stadium-" + PID + "-trial_1_x";
    assertThat(system.text(path + "/memory.limit_in_bytes")).isEqualTo("134217728");
    assertThat(system.text(path + "/memory.memsw.limit_in_bytes")).isEqualTo("134217728");
    assertThat(group.commandPrefix())
        .startsWith("sh", "-c")
        .endsWith(system.path(path) + "/cgroup.procs");
  }

  @Test
  void versionOneTellsWhatIsUsed() throws IOException {
    first("/");
    ControlGroup group = create();
    String path = FIRST + "/stadium-" + PID + "-trial_1_x";
    system
        .with(path + "/memory.stat", "cache 1\nrss 2\ntotal_cache 3000\ntotal_rss 4000\n")
        .with(path + "/memory.max_usage_in_bytes", "9000\n")
        .with(path + "/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");

    assertThat(group.memory()).isEqualTo(new ControlGroup.Memory(4000, 3000, 9000));
    assertThat(group.oomKills()).isEqualTo(2);
    assertThat(group.device()).isEqualTo(DeviceIo.UNKNOWN);
    assertThat(group.limitBytes()).isEqualTo(LIMIT);
  }

  @Test
  void whatIsNotToldIsUnknown() throws IOException {
    first("/");

    ControlGroup group = create();

    assertThat(group.memory()).isEqualTo(new ControlGroup.Memory(-1, -1, -1));
    assertThat(group.oomKills()).isZero();
  }

  @Test
  void versionTwoIsTheNearestThatHandsTheControllerDown() throws IOException {
    second("/user/app/run.scope", "memory pids\n");
    system
        .with(SECOND + "/cgroup.subtree_control", "memory\n")
        .with(SECOND + "/cgroup.procs", "")
        .with(SECOND + "/user/app/cgroup.subtree_control", "memory pids\n")
        .with(SECOND + "/user/app/cgroup.procs", "");

    assertThat(parent().describe()).startsWith("control groups v2").endsWith("/user/app");
    create();

    String path = SECOND + "/user/app/stadium-" + PID + "-trial_1_x";
    assertThat(system.text(path + "/memory.max")).isEqualTo("134217728");
    assertThat(system.text(path + "/memory.swap.max")).isEqualTo("0");
  }

  @Test
  void versionTwoTellsWhatIsUsed() throws IOException {
    second("/own", "memory\n");
    system.with(SECOND + "/own/cgroup.subtree_control", "memory\n");
    ControlGroup group = create();
    String path = SECOND + "/own/stadium-" + PID + "-trial_1_x";
    system
        .with(path + "/memory.stat", "anon 4000\nfile 3000\nkernel 5\n")
        .with(path + "/memory.peak", "9000\n")
        .with(path + "/memory.events", "low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n")
        .with(
            path + "/io.stat",
            """
            254:0 rbytes=100 wbytes=20 rios=1 wios=1 dbytes=0 dios=0
            254:16 rbytes=1 wbytes=2 rios=1 wios=1 dbytes=0 dios=0
            """);

    assertThat(group.memory()).isEqualTo(new ControlGroup.Memory(4000, 3000, 9000));
    assertThat(group.oomKills()).isEqualTo(1);
    assertThat(group.device()).isEqualTo(new DeviceIo(101, 22));
  }

  @Test
  void aGroupOfOnesOwnIsDividedWhenItMustBe() throws IOException {
    // given a group with the controller, with this process in it, that hands nothing down yet
    second("/own.scope", "memory\n");
    system.with(SECOND + "/own.scope/cgroup.procs", PID + "\n");

    ControlGroups parent = parent();
    assertThat(system.path(SECOND + "/own.scope")).isDirectoryNotContaining("glob:**stadium*");
    parent.create("trial", LIMIT);

    assertThat(system.text(SECOND + "/own.scope/stadium-" + PID + "-itself/cgroup.procs"))
        .isEqualTo(Long.toString(PID));
    assertThat(system.text(SECOND + "/own.scope/cgroup.subtree_control")).isEqualTo("+memory");
    assertThat(system.text(SECOND + "/own.scope/stadium-" + PID + "-trial/memory.max"))
        .isEqualTo("134217728");
  }

  @Test
  void aGroupThatOthersAreInIsLeftAlone() {
    second("/session.scope", "memory\n");
    system.with(SECOND + "/session.scope/cgroup.procs", PID + "\n999999999\n");

    assertThat(unavailable().reason()).contains("other processes are in").contains("session.scope");
    assertThat(unavailable().advice()).contains("systemd-run --user --scope -p Delegate=yes");
  }

  @Test
  void aControllerThatIsNotHandedDownIsSaid() {
    second("/session.scope", "pids\n");

    assertThat(unavailable().reason()).contains("not handed down to").contains("session.scope");
    assertThat(unavailable().advice()).contains("run as root").contains("systemd-run");
  }

  @Test
  void aLackOfRightsIsSaid() throws IOException {
    first("/app");
    Path group = system.path(FIRST + "/app");
    Files.setPosixFilePermissions(group, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeThat(Files.isWritable(group)).as("this user may write everywhere").isFalse();

      assertThat(unavailable().reason()).contains("may not be written to by this user");
      assertThat(unavailable().advice()).isEqualTo("run as root");
    } finally {
      Files.setPosixFilePermissions(group, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aHierarchyWithoutTheFileForProcessesIsOfNoUse() throws IOException {
    first("/app");
    Files.delete(system.path(FIRST + "/app/cgroup.procs"));

    assertThat(unavailable().reason()).contains("may not be written to");
  }

  @Test
  void withoutControlGroupsTheReasonIsThat() {
    assertThat(unavailable().reason()).contains("no control groups here");

    system.with("/proc/self/cgroup", "0::/\n").with("/proc/self/mountinfo", "");

    assertThat(unavailable().reason()).contains("no control groups with a memory controller");
    assertThat(unavailable().advice()).contains("/sys/fs/cgroup");
  }

  @Test
  void inAContainerThePartThatIsMountedCounts() throws IOException {
    first("/");
    system
        .with(
            "/proc/self/mountinfo",
            "35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n")
        .with("/proc/self/cgroup", "4:memory:/docker/abc/inner\n")
        .with(FIRST + "/inner/cgroup.procs", "");

    assertThat(parent().describe()).endsWith("memory/inner");

    // a group outside of what is mounted: the mount's own is the nearest
    system.with("/proc/self/cgroup", "4:memory:/elsewhere\n");
    assertThat(parent().describe()).endsWith("cgroup/memory");
  }

  @Test
  void closeRemovesTheGroup() throws IOException {
    first("/");
    ControlGroup group = create();
    Path path = system.path(FIRST + "/stadium-" + PID + "-trial_1_x");
    system.clear(path);

    group.close();
    group.close();

    assertThat(path).doesNotExist();
  }

  @Test
  void groupsOfProcessesThatAreGoneAreRemoved() throws IOException {
    first("/");
    List<Path> gone =
        List.of(
            system.path(FIRST + "/stadium-999999999-trial"),
            system.path(FIRST + "/stadium-999999998-itself"));
    Path alive = system.path(FIRST + "/stadium-" + PID + "-other");
    Path foreign = system.path(FIRST + "/stadium");
    for (Path each : gone) {
      Files.createDirectories(each);
    }
    Files.createDirectories(alive);
    Files.createDirectories(foreign);

    create();

    assertThat(gone).noneMatch(Files::exists);
    assertThat(alive).exists();
    assertThat(foreign).exists();
  }

  @Test
  void aGroupThatCannotBeMadeIsAnErrorWithItsName() throws IOException {
    first("/");
    create();

    assertThatThrownBy(this::create)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot make the control group")
        .hasMessageContaining("trial_1_x");
  }

  @Test
  void theLimitThatHoldsIsTheSmallestAbove() {
    second("/a/b", "memory\n");
    system
        .with("/proc/meminfo", "MemTotal:       4194304 kB\n")
        .with(SECOND + "/a/memory.max", "1073741824\n")
        .with(SECOND + "/a/b/memory.max", "max\n");

    assertThat(new MemoryChecks(system.files()).quick())
        .anySatisfy(each -> {
          assertThat(each.grade()).isEqualTo(Check.Grade.NOTE);
          assertThat(each.found()).contains("only 1024 MiB of 4096 MiB");
        });
  }
}

package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.machine.Availability.Available;
import io.kvstadium.bench.machine.Availability.Unavailable;
import io.kvstadium.bench.text.Finding;
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
  private static final String TOP = "/sys/fs/cgroup";
  private static final long LIMIT = 128L << 20;
  private static final long PID = ProcessHandle.current().pid();

  @TempDir private Path root;
  private FakeSystem system;

  @BeforeEach
  void layOut() {
    system = new FakeSystem(root);
  }

  /** A group whose parts get the memory controller. */
  private void dividable(String group) {
    laidOut(group, "memory\n");
    system.with(TOP + group + "/cgroup.subtree_control", "memory\n");
  }

  private void laidOut(String group, String handedDown) {
    system
        .with(
            "/proc/self/mountinfo",
            "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n")
        .with("/proc/self/cgroup", "0::" + group + "\n")
        .with(TOP + "/cgroup.controllers", "cpu io memory pids\n")
        .with(TOP + group + "/cgroup.controllers", handedDown)
        .with(TOP + group + "/cgroup.procs", "");
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
  void whatIsNotToldIsUnknown() throws IOException {
    dividable("/app");

    ControlGroup group = create();

    assertThat(group.memory()).isEqualTo(new ControlGroup.Memory(-1, -1, -1));
    assertThat(group.oomKills()).isZero();
  }

  @Test
  void theGroupIsTheNearestThatHandsTheControllerDown() throws IOException {
    laidOut("/user/app/run.scope", "memory pids\n");
    system
        .with(TOP + "/cgroup.subtree_control", "memory\n")
        .with(TOP + "/cgroup.procs", "")
        .with(TOP + "/user/app/cgroup.subtree_control", "memory pids\n")
        .with(TOP + "/user/app/cgroup.procs", "");

    assertThat(parent().parent()).isEqualTo(system.path(TOP + "/user/app"));
    create();

    String path = TOP + "/user/app/stadium-" + PID + "-trial_1_x";
    assertThat(system.text(path + "/memory.max")).isEqualTo("134217728");
    assertThat(system.text(path + "/memory.swap.max")).isEqualTo("0");
  }

  @Test
  void itTellsWhatIsUsed() throws IOException {
    laidOut("/own", "memory\n");
    system.with(TOP + "/own/cgroup.subtree_control", "memory\n");
    ControlGroup group = create();
    String path = TOP + "/own/stadium-" + PID + "-trial_1_x";
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
  }

  @Test
  void aGroupOfOnesOwnIsDividedWhenItMustBe() throws IOException {
    // given a group with the controller, with this process in it, that hands nothing down yet
    laidOut("/own.scope", "memory\n");
    system.with(TOP + "/own.scope/cgroup.procs", PID + "\n");

    ControlGroups parent = parent();
    assertThat(system.path(TOP + "/own.scope")).isDirectoryNotContaining("glob:**stadium*");
    parent.create("trial", LIMIT);

    assertThat(system.text(TOP + "/own.scope/stadium-" + PID + "-itself/cgroup.procs"))
        .isEqualTo(Long.toString(PID));
    assertThat(system.text(TOP + "/own.scope/cgroup.subtree_control")).isEqualTo("+memory");
    assertThat(system.text(TOP + "/own.scope/stadium-" + PID + "-trial/memory.max"))
        .isEqualTo("134217728");
  }

  @Test
  void aGroupThatOthersAreInIsLeftAlone() {
    laidOut("/session.scope", "memory\n");
    system.with(TOP + "/session.scope/cgroup.procs", PID + "\n999999999\n");

    assertThat(unavailable().reason()).contains("other processes are in").contains("session.scope");
    assertThat(unavailable().advice()).contains("systemd-run --user --scope -p Delegate=yes");
  }

  @Test
  void aControllerThatIsNotHandedDownIsSaid() {
    laidOut("/session.scope", "pids\n");

    assertThat(unavailable().reason()).contains("not handed down to").contains("session.scope");
    assertThat(unavailable().advice()).contains("run as root").contains("systemd-run");
  }

  @Test
  void aLackOfRightsIsSaid() throws IOException {
    dividable("/app");
    Path group = system.path(TOP + "/app");
    Files.setPosixFilePermissions(group, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeThat(Files.isWritable(group)).as("this user may write everywhere").isFalse();

      assertThat(unavailable().reason()).contains("may not be written to by this user");
      assertThat(unavailable().advice()).startsWith("run as root");
    } finally {
      Files.setPosixFilePermissions(group, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aHierarchyWithoutTheFileForProcessesIsOfNoUse() throws IOException {
    dividable("/app");
    Files.delete(system.path(TOP + "/app/cgroup.procs"));

    assertThat(unavailable().reason()).contains("may not be written to");
  }

  @Test
  void withoutControlGroupsTheReasonIsThat() {
    assertThat(unavailable().reason()).contains("no control groups here");

    system.with("/proc/self/cgroup", "0::/\n").with("/proc/self/mountinfo", "");

    assertThat(unavailable().reason())
        .contains("no control groups (version 2) with a memory controller");
    assertThat(unavailable().advice()).contains("/sys/fs/cgroup");
  }

  @Test
  void inAContainerThePartThatIsMountedCounts() {
    dividable("/inner");
    system
        .with(
            "/proc/self/mountinfo",
            "35 31 0:32 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
        .with("/proc/self/cgroup", "0::/docker/abc/inner\n");

    assertThat(parent().parent()).isEqualTo(system.path(TOP + "/inner"));

    // a group outside of what is mounted: the mount's own is the nearest
    system
        .with("/proc/self/cgroup", "0::/elsewhere\n")
        .with(TOP + "/cgroup.subtree_control", "memory\n")
        .with(TOP + "/cgroup.procs", "");
    assertThat(parent().parent()).isEqualTo(system.path(TOP));
  }

  @Test
  void closeRemovesTheGroup() throws IOException {
    dividable("/app");
    ControlGroup group = create();
    Path path = system.path(TOP + "/app/stadium-" + PID + "-trial_1_x");
    system.clear(path);

    group.close();
    group.close();

    assertThat(path).doesNotExist();
  }

  @Test
  void groupsOfProcessesThatAreGoneAreRemoved() throws IOException {
    dividable("/app");
    List<Path> gone =
        List.of(
            system.path(TOP + "/app/stadium-999999999-trial"),
            system.path(TOP + "/app/stadium-999999998-itself"));
    Path alive = system.path(TOP + "/app/stadium-" + PID + "-other");
    Path foreign = system.path(TOP + "/app/stadium");
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
    dividable("/app");
    create();

    assertThatThrownBy(this::create)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot make the control group")
        .hasMessageContaining("trial_1_x");
  }

  @Test
  void theLimitThatHoldsIsTheSmallestAbove() {
    laidOut("/a/b", "memory\n");
    system
        .with("/proc/meminfo", "MemTotal:       4194304 kB\n")
        .with(TOP + "/a/memory.max", "1073741824\n")
        .with(TOP + "/a/b/memory.max", "max\n");

    assertThat(new Environment(system.files(), root).check(1_000, 1, 0))
        .anySatisfy(each -> {
          assertThat(each.level()).isEqualTo(Finding.Level.NOTE);
          assertThat(each.message()).contains("only 1024 MiB of 4096 MiB");
        });
  }
}

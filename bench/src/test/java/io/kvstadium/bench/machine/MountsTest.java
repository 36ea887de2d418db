package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.machine.Mounts.Mount;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountsTest {
  @TempDir private Path root;

  private Mounts mounts() {
    return Mounts.of(
        new FakeSystem(root)
            .with(
                "/proc/self/mountinfo",
                """
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                30 27 0:30 / /dev/shm rw shared:1 master:2 - tmpfs shm rw
                31 27 8:1 /sub /data rw - xfs /dev/sda1 rw
                32 27 8:2 / /data rw - ext4 /dev/sda2 rw
                33 27 8:3 / /my\\040data rw - ext4 /dev/sda3 rw
                not a line of the kind
                """)
            .files());
  }

  private static String type(Mount mount) {
    return mount.type() + " on " + mount.source();
  }

  @Test
  void theDeepestHoldsAFileAndOfTwoTheLater() {
    assertThat(type(mounts().holding(Path.of("/home/me")))).isEqualTo("ext4 on /dev/vda");
    assertThat(type(mounts().holding(Path.of("/dev/shm/x")))).isEqualTo("tmpfs on shm");
    assertThat(type(mounts().holding(Path.of("/data/x")))).isEqualTo("ext4 on /dev/sda2");
    assertThat(type(mounts().holding(Path.of("/database")))).isEqualTo("ext4 on /dev/vda");
  }

  @Test
  void spacesInNamesAreRead() {
    assertThat(mounts().holding(Path.of("/my data/x")).device()).isEqualTo("8:3");
  }

  @Test
  void fieldsAreWhereTheyBelong() {
    assertThat(mounts().all().get(2))
        .isEqualTo(new Mount("8:1", "/sub", Path.of("/data"), "xfs", "/dev/sda1"));
  }

  @Test
  void nothingIsKnownWithoutTheFile() {
    assertThat(Mounts.of(new SystemFiles(root)).holding(Path.of("/"))).isNull();
  }
}

package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceIoTest {
  @TempDir private Path root;

  @Test
  void whatWasCancelledWasNotWritten() {
    FakeSystem system =
        new FakeSystem(root)
            .with(
                "/proc/self/io",
                """
                rchar: 100000
                wchar: 200000
                syscr: 10
                syscw: 20
                read_bytes: 4096
                write_bytes: 12288
                cancelled_write_bytes: 8192
                """);

    DeviceIo io = DeviceIo.now(system.files());

    assertThat(io).isEqualTo(new DeviceIo(4096, 4096));
    assertThat(io.since(new DeviceIo(96, 96))).isEqualTo(new DeviceIo(4000, 4000));
  }

  @Test
  void aDisksOwnCountIsInSectors() {
    FakeSystem system =
        new FakeSystem(root)
            .with("/proc/self/mountinfo", "27 1 259:2 / / rw - ext4 /dev/sda2 rw\n")
            .with("/sys/dev/block/259:2/stat", "  10 0 8 5 20 0 16 7 0 9 9 0 0 0 0 0 0\n");

    assertThat(DeviceIo.ofDisk(system.files(), root)).isEqualTo(new DeviceIo(4096, 8192));
    system.with("/proc/self/mountinfo", "27 1 0:30 / / rw - btrfs /dev/sda2 rw\n");
    assertThat(DeviceIo.ofDisk(system.files(), root)).isEqualTo(DeviceIo.UNKNOWN);
  }

  @Test
  void flushesAreThoseOfTheWholeDisk() {
    String stat = "  10 0 8 5 20 0 16 7 0 9 9 0 0 0 0 %s 0\n";
    FakeSystem system =
        new FakeSystem(root)
            .with("/proc/self/mountinfo", "27 1 259:2 / / rw - ext4 /dev/sda2 rw\n")
            .with("/sys/dev/block/259:2/stat", stat.formatted(42));

    assertThat(DeviceIo.flushes(system.files(), root)).isEqualTo(42);
    system.with("/sys/dev/block/259:2/partition", "2\n");
    system.with("/sys/dev/block/stat", stat.formatted(43));
    assertThat(DeviceIo.flushes(system.files(), root)).isEqualTo(43);
    system.with("/sys/dev/block/stat", "  10 0 8 5 20 0 16 7 0 9 9\n");
    assertThat(DeviceIo.flushes(system.files(), root)).as("an older kernel").isEqualTo(-1);
  }

  @Test
  void moreMayBeCancelledThanWritten() {
    assertThat(new DeviceIo(0, -50).since(new DeviceIo(0, 100)).writtenBytes()).isEqualTo(-150);
  }

  @Test
  void withoutTheFileItIsUnknown() {
    DeviceIo unknown = DeviceIo.now(new FakeSystem(root).files());

    assertThat(unknown).isEqualTo(DeviceIo.UNKNOWN);
    assertThat(unknown.since(new DeviceIo(5, 5))).isEqualTo(DeviceIo.UNKNOWN);
    assertThat(new DeviceIo(5, 5).since(unknown)).isEqualTo(DeviceIo.UNKNOWN);
  }
}

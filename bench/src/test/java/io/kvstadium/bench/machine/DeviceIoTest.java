package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceIoTest {
  @TempDir private Path root;

  @Test
  void aProcessSaysWhatItHasRead() {
    FakeSystem system =
        new FakeSystem(root).with("/proc/self/io", "rchar: 100000\nread_bytes: 4096\n");

    assertThat(DeviceIo.read(system.files(), "self")).isEqualTo(4096);
    assertThat(DeviceIo.read(system.files(), "1")).as("no such file").isEqualTo(-1);
  }

  @Test
  void aDisksOwnCountIsInSectors() {
    FakeSystem system =
        new FakeSystem(root)
            .with("/proc/self/mountinfo", "27 1 259:2 / / rw - ext4 /dev/sda2 rw\n")
            .with("/sys/dev/block/259:2/stat", "  10 0 8 5 20 0 16 7 0 9 9 0 0 0 0 0 0\n");

    assertThat(DeviceIo.written(system.files(), root)).isEqualTo(8192);
    system.with("/proc/self/mountinfo", "27 1 0:30 / / rw - btrfs /dev/sda2 rw\n");
    assertThat(DeviceIo.written(system.files(), root)).isEqualTo(-1);
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
}

package io.kvstadium.torture.fault;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.testsupport.Needs;
import io.kvstadium.torture.fault.Linux.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wrong file system is never shut down. */
class PowerCutTest {
  @TempDir Path directory;

  private static List<String> mounts() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mountinfo"));
  }

  private void refuses(Path place, Path mountPoint, Path image) {
    assertThatThrownBy(
            () -> {
              try (Descriptor descriptor = Descriptor.of(place)) {
                PowerCut.demandOwn(descriptor, mounts(), mountPoint, image);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not the disk to be shut down");
  }

  @Test
  void theRootIsRefused() throws IOException {
    Assumptions.assumeTrue(System.getProperty("os.name").equals("Linux"), "not on Linux");
    Path image = Files.createFile(directory.resolve("disk.img"));

    refuses(Path.of("/"), Path.of("/"), image);
    refuses(directory, directory, image);
    refuses(Path.of("/proc"), Path.of("/proc"), image);
  }

  @Test
  void anotherDiskThanTheOwnIsRefused() throws Exception {
    String unavailable = DiskFormat.EXT4.unavailable();
    Needs.none(unavailable);
    Path other = Files.createFile(directory.resolve("other.img"));
    try (MountNamespace namespace = new MountNamespace();
        LoopDisk disk = new LoopDisk(namespace, directory, DiskFormat.EXT4, 16 << 20)) {
      Path sub = Files.createDirectory(namespace.seen(disk.mountPoint()).resolve("sub"));

      assertThatThrownBy(
              () -> {
                try (Descriptor descriptor = Descriptor.of(sub)) {
                  PowerCut.demandOwn(descriptor, namespace.mountInfo(), disk.mountPoint(), other);
                }
              })
          .hasMessageContaining("not the disk to be shut down: its image is");
      assertThatThrownBy(
              () -> {
                try (Descriptor descriptor = Descriptor.of(directory)) {
                  PowerCut.demandOwn(
                      descriptor, namespace.mountInfo(), disk.mountPoint(), disk.image());
                }
              })
          .isInstanceOf(IOException.class);
      disk.unmount(); // what is at the mount point now is the directory around it
      assertThatThrownBy(() -> PowerCut.cut(disk)).isInstanceOf(IOException.class);
      disk.mount();
    }
  }
}

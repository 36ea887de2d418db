package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class PageCacheTest {
  private static final int SIZE = 16 << 20;

  @TempDir private Path directory;

  /** Not where files are in memory, or are another system's, whose cache is not ours to drop. */
  public static void assumeThatCachesCanBeDropped(Path directory) throws IOException {
    assumeThat(PageCache.drops(directory)).isTrue();
    assumeThat(Files.getFileStore(directory).type()).isIn("ext4", "xfs", "btrfs");
  }

  @Test
  void whatWasDroppedIsReadFromTheDevice() throws IOException {
    assumeThatCachesCanBeDropped(directory);
    Path file = Files.createDirectory(directory.resolve("below")).resolve("it's large");
    Files.write(file, new byte[SIZE]);
    assertThat(read(file)).as("it is cached").isLessThan(SIZE / 2);

    PageCache.drop(directory);

    assertThat(read(file)).isGreaterThanOrEqualTo(SIZE);
    assertThat(read(file)).as("it is cached again").isLessThan(SIZE / 2);
  }

  private static long read(Path file) throws IOException {
    long before = DeviceIo.read("self");
    assertThat(Files.readAllBytes(file)).hasSize(SIZE);
    return DeviceIo.read("self") - before;
  }

  @Test
  void filesInMemoryCannotBeDropped() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).isDirectory();
    assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");

    assertThat(PageCache.drops(memory)).isFalse();
  }

  @Test
  void whatIsNotThereCannotBeDropped() {
    assertThatThrownBy(() -> PageCache.drop(directory.resolve("none")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
  }
}

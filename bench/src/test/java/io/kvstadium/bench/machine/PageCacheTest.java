package io.kvstadium.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.machine.PageCache.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
  private static final int SIZE = 64 << 20;

  @TempDir private Path directory;

  @BeforeEach
  void onlyOnADisk() {
    assumeThat(System.getProperty("os.name")).as("only Linux reports it").isEqualTo("Linux");
    assumeThat(PageCache.way(directory))
        .as("the files of %s are always in memory", directory)
        .isNotEqualTo(Way.NONE);
  }

  private Path file(String name, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return Files.write(directory.resolve(name), bytes);
  }

  @Test
  void whatWasReadIsResidentUntilItIsDropped() throws IOException {
    Path file = file("large", SIZE);
    assertThat(Files.readAllBytes(file)).hasSize(SIZE);

    Residency warm = PageCache.residency(directory);
    assertThat(warm.bytes()).isEqualTo(SIZE);
    assertThat(warm.share()).isBetween(0.9, 1.0);

    PageCache.advise(directory);
    double left = PageCache.residency(directory).share();
    assumeThat(left).as("this file system ignores advice").isLessThan(warm.share());
    assertThat(left).isLessThan(0.01);

    // what is read again is there again
    assertThat(Files.readAllBytes(file)).hasSize(SIZE);
    assertThat(PageCache.residency(directory).share()).isGreaterThan(0.9);
  }

  @Tag("full")
  @Test
  void theBestWayDropsWhatWasJustWritten() throws IOException {
    file("large", SIZE);
    Files.createDirectory(directory.resolve("below"));
    file("below/small", 5000);

    assertThat(PageCache.drop(directory)).isIn(Way.DROP_CACHES, Way.POSIX_FADVISE);

    Residency after = PageCache.residency(directory);
    assertThat(after.bytes()).isEqualTo(SIZE + 8192);
    assertThat(after.share()).isLessThan(0.02);
  }

  @Test
  void nothingIsResidentOfNothing() throws IOException {
    file("empty", 0);

    assertThat(PageCache.residency(directory)).isEqualTo(new Residency(0, 0));
    assertThat(PageCache.residency(directory).share()).isZero();
    assertThat(new Residency(10, -1).share()).isEqualTo(-1);
  }

  @Test
  void filesInMemoryCannotBeDropped() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).isWritable();
    assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
    Path inMemory = Files.createTempDirectory(memory, "stadium");
    try {
      assertThat(PageCache.drop(inMemory)).isEqualTo(Way.NONE);
    } finally {
      Files.delete(inMemory);
    }
  }
}

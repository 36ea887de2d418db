package io.kvstadium.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Drops files from the system's page cache, so that the next read comes from the device.
 *
 * <p>Pages that a process has mapped cannot be dropped: close the store first.
 */
public final class PageCache {
  private static final String DROP_CACHES = "/proc/sys/vm/drop_caches";

  /** The pages of these are the files themselves. */
  static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private PageCache() {}

  /**
   * Whether files can be dropped here.
   *
   * @param directory an existing one
   */
  public static boolean drops(Path directory) {
    return System.getProperty("os.name").equals("Linux") && !isInMemory(directory);
  }

  /**
   * Writes what is dirty to the device, and drops everything below a directory: as root with what
   * file systems keep for themselves, such as block maps, for the whole machine.
   *
   * @throws IOException if a file cannot be read, synced or dropped
   */
  public static void drop(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        dropFile(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (Files.isWritable(Path.of(DROP_CACHES))) {
      dropAll();
    }
  }

  private static void dropFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true); // only clean pages can be dropped
    }
    Process dd =
        new ProcessBuilder(List.of("dd", "if=" + file, "iflag=nocache", "count=0"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (dd.waitFor() != 0) {
        throw new IOException("'dd iflag=nocache', of GNU coreutils, fails on " + file);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + file + " was dropped", e);
    }
  }

  private static void dropAll() {
    try {
      Files.writeString(Path.of(DROP_CACHES), "1", StandardOpenOption.WRITE);
    } catch (IOException e) {
      // root in a container, for example: the files themselves are dropped
    }
  }

  private static boolean isInMemory(Path directory) {
    try {
      return IN_MEMORY.contains(Files.getFileStore(directory).type());
    } catch (IOException e) {
      return false; // the cause shows when it is dropped
    }
  }
}

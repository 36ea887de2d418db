package io.kvstadium.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The system's page cache: how much of a directory is in it, and how to drop that, so that the next
 * read comes from the device.
 *
 * <p>Pages that a process has mapped cannot be dropped: close the store first.
 */
public final class PageCache {
  /** How caches are dropped. */
  public enum Way {
    /** For the whole machine, with what file systems keep for themselves; root only. */
    DROP_CACHES("drop_caches"),
    /** File by file; what the file system itself keeps, such as block maps, stays. */
    POSIX_FADVISE("posix_fadvise"),
    /** Not at all. */
    NONE("none");

    private final String word;

    Way(String word) {
      this.word = word;
    }

    /** Returns the word that results show. */
    public String word() {
      return word;
    }
  }

  private static final String DROP_CACHES = "/proc/sys/vm/drop_caches";

  /** The pages of these are the files themselves. */
  static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private PageCache() {}

  /**
   * Returns how {@link #drop} would work here; {@link Way#NONE} if it cannot.
   *
   * @param directory an existing one
   */
  public static Way way(Path directory) {
    if (!isLinux() || isInMemory(directory)) {
      return Way.NONE;
    }
    return Files.isWritable(Path.of(DROP_CACHES)) ? Way.DROP_CACHES : Way.POSIX_FADVISE;
  }

  /**
   * How much of all files below a directory is in the page cache. The kernel answers only those who
   * could write a file, and tells others that everything is cached.
   *
   * @throws IOException if an existing file cannot be read
   */
  public static Residency residency(Path directory) throws IOException {
    Residency sum = new Residency(0, isLinux() ? 0 : -1);
    for (Path file : files(directory)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        sum =
            sum.plus(
                isLinux() ? NativeFiles.residency(channel) : new Residency(channel.size(), -1));
      } catch (NoSuchFileException e) {
        // removed meanwhile: it has no pages
      }
    }
    return sum;
  }

  /**
   * Writes what is dirty to the device, and drops everything below a directory from the page cache
   * in the best way available, which it returns.
   *
   * @throws IOException if a file cannot be read or synced
   */
  public static Way drop(Path directory) throws IOException {
    Way way = way(directory);
    if (way == Way.NONE || (way == Way.DROP_CACHES && dropAll())) {
      return way;
    }
    advise(directory); // also for root in a container, for example
    return Way.POSIX_FADVISE;
  }

  /** Syncs and drops file by file, which does not affect the rest of the machine. */
  public static void advise(Path directory) throws IOException {
    for (Path file : files(directory)) {
      NativeFiles.dropPages(file);
    }
  }

  private static boolean dropAll() {
    NativeFiles.sync();
    try (FileChannel channel = FileChannel.open(Path.of(DROP_CACHES), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap("1".getBytes(StandardCharsets.US_ASCII)));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean isInMemory(Path directory) {
    try {
      FileStore store = Files.getFileStore(directory);
      return IN_MEMORY.contains(store.type());
    } catch (IOException e) {
      return false; // the cause shows when residency is measured
    }
  }

  private static boolean isLinux() {
    return System.getProperty("os.name").equals("Linux");
  }
}

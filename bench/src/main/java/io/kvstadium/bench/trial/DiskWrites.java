package io.kvstadium.bench.trial;

import io.kvstadium.bench.machine.DeviceIo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a trial made the disk write. It is the disk's own count, so what others write meanwhile is
 * in it: the machine must be quiet. What a process itself is said to have written is no figure, for
 * kernels count pages there that were hardly touched.
 */
final class DiskWrites {
  private final Path directory;
  private final DeviceIo before;

  /**
   * Begins to count.
   *
   * @param directory on the disk
   */
  DiskWrites(Path directory) {
    this.directory = directory;
    this.before = now();
  }

  private DeviceIo now() {
    return Files.isDirectory(directory) ? DeviceIo.ofDisk(directory) : DeviceIo.UNKNOWN;
  }

  /**
   * Syncs the files of a store that is closed, so that nothing is still to be written.
   *
   * @param progress is told of each file
   * @return bytes that were written since the beginning, or -1 if that cannot be told
   */
  long after(Path store, Runnable progress) {
    if (before.equals(DeviceIo.UNKNOWN) || !Files.isDirectory(store)) {
      return -1;
    }
    try {
      for (Path file : files(store)) {
        progress.run();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    } catch (IOException e) {
      return -1; // a figure less: the store itself has closed without complaint
    }
    return now().since(before).writtenBytes();
  }

  private static List<Path> files(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}

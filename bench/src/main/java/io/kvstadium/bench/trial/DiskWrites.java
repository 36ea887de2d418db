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
 * What a trial made the disk write. It is the disk's own count, which includes what others write
 * meanwhile, so the machine must be quiet. The kernel's count for a process is no use, because
 * kernels count pages there that were hardly touched.
 */
final class DiskWrites {
  private final Path directory;
  private final DeviceIo before;

  /**
   * Starts counting.
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
   * Syncs the files of a closed store, so that nothing is left to be written.
   *
   * @param progress is called for each file
   * @return bytes that were written since the beginning, or -1 if that is unknown
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
      return -1; // one figure less: the store itself has closed without complaint
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

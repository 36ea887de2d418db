package io.kvstadium.store.engine.help;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Makes files survive a power cut, whether the calling thread is interrupted or not. */
public final class Sync {
  private Sync() {}

  /**
   * Syncs a file, or the names in a directory. Runs on a separate thread, because an interrupt
   * would close the channel before the sync is done.
   */
  public static void force(Path path) throws IOException {
    StandardOpenOption mode =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    OwnThread.once(
        "sync",
        () -> {
          try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
            return true;
          }
        });
  }
}

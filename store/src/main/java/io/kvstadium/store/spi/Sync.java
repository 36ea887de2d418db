package io.kvstadium.store.spi;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Makes files survive a power cut, whether the calling thread is interrupted or not. */
public final class Sync {
  private Sync() {}

  /**
   * Syncs a file, or the names in a directory. On a thread of its own, for an interrupt would close
   * the channel before the sync is done.
   */
  public static void force(Path path) throws IOException {
    IOException failure = OwnThread.<@Nullable IOException>once("sync", () -> forceHere(path));
    if (failure != null) {
      throw failure;
    }
  }

  private static @Nullable IOException forceHere(Path path) {
    StandardOpenOption how =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
      return null;
    } catch (IOException e) {
      return e;
    }
  }
}

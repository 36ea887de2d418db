package io.kvstadium.store.internal.move;

import io.kvstadium.store.engine.help.Sync;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/** Small files that are there wholly or not at all, whatever happens to the machine. */
public final class DurableFile {
  private DurableFile() {}

  /** Writes a file, which another of this name is replaced by at once; syncs the file only. */
  public static void replace(Path file, String text) throws IOException {
    replace(file, text, true);
  }

  /** The same, of what may be lost with the machine's power. */
  static void replace(Path file, String text, boolean sync) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.writeString(part, text);
    if (sync) {
      Sync.force(part);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static String text(Properties properties) throws IOException {
    StringWriter text = new StringWriter();
    properties.store(text, null);
    return text.toString();
  }

  /** Makes the names in a directory survive a power cut, where directories can be synced. */
  public static void syncNames(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Sync.force(directory);
    }
  }
}

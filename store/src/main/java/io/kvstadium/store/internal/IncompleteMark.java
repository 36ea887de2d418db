package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.Sync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** The file in a store's directory that says that the store is still being filled. */
final class IncompleteMark {
  static final String FILE = "stadium.incomplete";

  private final Path directory;
  private final String url;

  IncompleteMark(Path directory, String url) {
    this.directory = directory;
    this.url = url;
  }

  /** What it says, or {@code null} if there is none. */
  @Nullable String read() {
    try {
      return Files.readString(directory.resolve(FILE));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot read " + directory.resolve(FILE) + ": " + e, e);
    }
  }

  /** Rewrites it, or removes it; returns when that would survive a power cut. */
  void write(@Nullable String text) {
    Path file = directory.resolve(FILE);
    try {
      if (text == null) {
        Files.deleteIfExists(file);
      } else {
        Path part = directory.resolve(FILE + ".part");
        Files.writeString(part, text);
        Sync.force(part);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
      if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        Sync.force(directory);
      }
    } catch (IOException e) {
      throw new StoreIoException(url + ": cannot write " + file + ": " + e, e);
    }
  }

  /** Refuses to open what is not complete. */
  void refuse() {
    String text = read();
    if (text != null) {
      throw new BadArgumentException(
          ("%s: the store in %s is not complete: %s has not finished. Run it again, which resumes a"
                  + " copy, and for an import needs --replace; or open what is there with"
                  + " incomplete=true in the URL. The mark is the file %s in the directory: without"
                  + " it, the store counts as complete")
              .formatted(url, directory, text.lines().findFirst().orElse("what filled it"), FILE));
    }
  }
}

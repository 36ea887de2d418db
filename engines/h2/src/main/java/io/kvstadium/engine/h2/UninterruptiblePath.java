package io.kvstadium.engine.h2;

import io.kvstadium.store.spi.UninterruptibleFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * H2's files as {@link UninterruptibleFile}s. Its own survive no interrupt, except {@code async:},
 * which hands each read to another thread, and {@code retry:}, which swallows the interrupt and may
 * lose a failed sync with it. Public for H2, which makes it by reflection.
 */
public final class UninterruptiblePath extends FilePathWrapper {
  private static final String SCHEME = "uninterruptible";

  /** For H2. */
  public UninterruptiblePath() {}

  /** The name by which H2 opens a file so. */
  static String nameOf(Path file) {
    FilePath.register(new UninterruptiblePath());
    return SCHEME + ":" + file;
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new UninterruptibleFile(Path.of(unwrap().toString()), mode);
  }
}

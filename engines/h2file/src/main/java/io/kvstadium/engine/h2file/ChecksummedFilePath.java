package io.kvstadium.engine.h2file;

import io.kvstadium.store.engine.help.PathNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * H2's files as {@link UninterruptibleFile}s whose torn chunks are noticed. H2's own file systems
 * do not survive interrupts, except {@code async:}, which hands each read to another thread, and
 * {@code retry:}, which swallows the interrupt and may lose a failed sync with it. Public for H2,
 * which makes it by reflection.
 */
public class ChecksummedFilePath extends FilePathWrapper {
  /** For H2. */
  public ChecksummedFilePath() {}

  /**
   * Returns the name by which H2 opens a file this way.
   *
   * @param synced whether each commit is synced before the next is written, regardless of who asks
   *     for it
   */
  public static String nameOf(Path file, boolean synced) {
    ChecksummedFilePath path = synced ? new Synced() : new ChecksummedFilePath();
    FilePath.register(path);
    return path.getScheme() + ":" + file;
  }

  /**
   * Refuses a directory that H2 would not find: it takes a backslash for a slash.
   *
   * @param characters none of which a name in its path may have
   */
  public static void check(String engine, Path directory, String characters) {
    PathNames.without(engine, directory, characters, "which means something else to H2");
  }

  @Override
  public String getScheme() {
    return "sound";
  }

  @Override
  public FileChannel open(String mode) throws IOException {
    return new ChunkFile(Path.of(unwrap().toString()), mode, false);
  }

  /** The path for files whose commits are synced. Public for H2. */
  public static final class Synced extends ChecksummedFilePath {
    /** For H2. */
    public Synced() {}

    @Override
    public String getScheme() {
      return "synced";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
      return new ChunkFile(Path.of(unwrap().toString()), mode, true);
    }
  }
}

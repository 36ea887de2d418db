package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * An SQLite file, opened so that it and the files beside it stay as they are. A reader of a file in
 * WAL mode creates the files {@code -wal} and {@code -shm} if there are none, and leaves them
 * behind. So such a file is read as one that nobody changes, and at the end it is checked whether
 * that was true.
 */
final class SqliteFile {
  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final Set<String> EXTENSIONS = Set.of("db", "db3", "sqlite", "sqlite3", "s3db");

  /**
   * Offset in the header of the version that readers must know: 2 for WAL (SQLite, File Format).
   */
  private static final int READ_VERSION = 19;

  private static final int WAL = 2;

  private final Path path;
  private final boolean unchanging;
  private final String before;

  private SqliteFile(Path path, boolean unchanging, String before) {
    this.path = path;
    this.unchanging = unchanging;
    this.before = before;
  }

  /** Returns whether a file is an SQLite file, by its name or its content. */
  static boolean is(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return Files.isRegularFile(path)
        && (EXTENSIONS.contains(name.substring(name.lastIndexOf('.') + 1))
            || Arrays.equals(MAGIC, Arrays.copyOf(header(path), MAGIC.length)));
  }

  /**
   * Looks at a file before it is opened.
   *
   * @throws BadArgumentException if it is missing, is not an SQLite file, or cannot be read without
   *     leaving a trace
   */
  static SqliteFile look(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new BadArgumentException("there is no file " + path + ": give an SQLite file");
    }
    byte[] header = header(path);
    if (!Arrays.equals(MAGIC, Arrays.copyOf(header, MAGIC.length))) {
      throw new BadArgumentException(
          path
              + (header.length == 0
                  ? " is empty: give an SQLite file with a table"
                  : " is not an SQLite file, or an encrypted one: give one that sqlite3 can read"));
    }
    boolean wal = header.length > READ_VERSION && header[READ_VERSION] == WAL;
    boolean shared = Files.exists(beside(path, "-shm"));
    if (wal && !shared && size(beside(path, "-wal")) > 0) {
      throw new BadArgumentException(
          path
              + "-wal has changes that are not in "
              + path.getFileName()
              + " yet, and reading them would leave a file behind: bring them in with sqlite3 "
              + path.getFileName()
              + " 'PRAGMA wal_checkpoint(TRUNCATE)'");
    }
    return new SqliteFile(path, wal && !shared, state(path));
  }

  String url() {
    return "jdbc:sqlite:file:"
        + path.toUri().getRawPath()
        + (unchanging ? "?immutable=1" : "?mode=ro");
  }

  /** Makes sure that nobody changed what was read on that assumption. */
  void checkUnchanged() {
    if (unchanging && !state(path).equals(before)) {
      throw new BadArgumentException(
          path + " was changed while it was read: run again when nobody writes to it");
    }
  }

  private static String state(Path path) {
    try {
      return Files.size(path)
          + " "
          + Files.getLastModifiedTime(path)
          + " "
          + size(beside(path, "-wal"));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static long size(Path path) {
    try {
      return Files.exists(path) ? Files.size(path) : 0;
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static Path beside(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  private static byte[] header(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(READ_VERSION + 1);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static StoreIoException unreadable(Path path, IOException e) {
    return new StoreIoException(path + " cannot be read (" + e + "): check who may read it", e);
  }
}

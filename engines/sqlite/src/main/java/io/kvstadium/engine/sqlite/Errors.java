package io.kvstadium.engine.sqlite;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Kind;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean. */
final class Errors {
  // primary result codes, https://www.sqlite.org/rescode.html
  private static final int ERROR = 1;
  private static final int PERM = 3;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int TOOBIG = 18;
  private static final int NOTADB = 26;

  private Errors() {}

  /** What a failed open means. */
  static @Nullable Failure ofOpening(Throwable thrown, boolean readOnly) {
    return switch (primary(thrown)) {
      case BUSY, LOCKED ->
          new Failure(
              Kind.LOCKED,
              "store.sqlite is in use by another process",
              "close it there, or raise busy_timeout");
      case PERM, READONLY, CANTOPEN ->
          new Failure(
              Kind.IO,
              "store.sqlite cannot be opened",
              readOnly
                  ? isHot(thrown)
                      ? "a write that was cut short has to be rolled back from its journal first:"
                          + " open it for writing once"
                      : "in WAL mode, reading needs the file's -shm: let this user write in the"
                          + " directory, or open it for writing once with journal_mode=delete"
                  : "check the rights on the file and its directory");
      default -> of(thrown);
    };
  }

  /** What a failed call on an open store means. */
  static @Nullable Failure of(Throwable thrown) {
    return switch (primary(thrown)) {
      case BUSY, LOCKED ->
          new Failure(
              Kind.CONFLICT,
              "another connection reads or writes store.sqlite",
              "try again, close open cursors and snapshots, or raise busy_timeout");
      case FULL -> new Failure(Kind.FULL, "the disk is full", "free space there");
      case CORRUPT ->
          new Failure(
              Kind.CORRUPT, "damaged data", "restore it, or salvage it with sqlite3's .recover");
      case NOTADB ->
          new Failure(
              Kind.CORRUPT,
              "store.sqlite is not a SQLite database",
              "move it away or choose another directory");
      case TOOBIG -> new Failure(Kind.ARGUMENT, "too large an entry", "make it smaller");
      case IOERR, PERM, READONLY, CANTOPEN ->
          new Failure(
              Kind.IO,
              "reading or writing store.sqlite failed",
              "check disk and rights, then open it again");
      default ->
          thrown instanceof SQLException
              ? new Failure(Kind.OTHER, "SQLite refused a call", "")
              : null;
    };
  }

  /** Whether a statement could not be prepared because its table is not in the view it reads. */
  static boolean isMissingTable(SQLException e) {
    String message = e.getMessage();
    return primary(e) == ERROR && message != null && message.contains("no such table");
  }

  /** Whether there is the journal of a transaction that did not end. */
  private static boolean isHot(Throwable thrown) {
    return thrown instanceof SQLiteException e
        && e.getResultCode() == SQLiteErrorCode.SQLITE_READONLY_ROLLBACK;
  }

  private static int primary(Throwable thrown) {
    return thrown instanceof SQLiteException e ? e.getResultCode().code & 0xff : -1;
  }
}

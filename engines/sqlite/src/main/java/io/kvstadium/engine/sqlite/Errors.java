package io.kvstadium.engine.sqlite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteException;

/**
 * Turns SQLite's errors into the store's. Immutable.
 *
 * @param file the database, for messages
 */
record Errors(Path file) {
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

  /** For an error while the store is being opened. */
  StadiumException opening(SQLException e) {
    return switch (primary(e)) {
      case BUSY, LOCKED ->
          new LockedException(
              say("is in use by another process; close it there, or raise busy_timeout", e), e);
      case PERM, READONLY, CANTOPEN ->
          new StoreIoException(
              say("cannot be opened; check the rights on the file and its directory", e), e);
      default -> calling("opening", e);
    };
  }

  /**
   * For an error of a call on the open store.
   *
   * @param what the call, for the message
   */
  StadiumException calling(String what, SQLException e) {
    return switch (primary(e)) {
      case BUSY, LOCKED ->
          new ConflictException(
              say(
                  "is busy ("
                      + what
                      + "): another connection reads or writes it; try again, close"
                      + " open cursors and snapshots, or raise busy_timeout",
                  e),
              e);
      case FULL ->
          new FullException(say("has no room (" + what + "); free space on its disk", e), e);
      case CORRUPT ->
          new CorruptException(
              say(
                  "is damaged (" + what + "); restore it, or salvage it with sqlite3's .recover",
                  e),
              e);
      case NOTADB ->
          new CorruptException(
              say("is not a SQLite database; move it away or choose another directory", e), e);
      case TOOBIG ->
          new BadArgumentException(
              say("cannot take so large an entry (" + what + "); make it smaller", e), e);
      case IOERR, PERM, READONLY, CANTOPEN ->
          new StoreIoException(
              say("failed (" + what + "); check disk and rights, then open the store again", e), e);
      default -> new StadiumException(say("refused a call (" + what + ")", e), e);
    };
  }

  /** A conflict that the adapter itself found. */
  ConflictException conflict(String message) {
    return new ConflictException("sqlite: " + file + " " + message);
  }

  /** For a call that would wait for the calling thread's own transaction. */
  BadArgumentException own(String advice) {
    return new BadArgumentException(
        "sqlite: " + file + " is locked by this thread's own transaction: " + advice);
  }

  /** Whether a statement could not be prepared because its table is not in the view it reads. */
  static boolean isMissingTable(SQLException e) {
    String message = e.getMessage();
    return primary(e) == ERROR && message != null && message.contains("no such table");
  }

  static boolean isCannotOpen(SQLException e) {
    return primary(e) == CANTOPEN;
  }

  private static int primary(SQLException e) {
    return e instanceof SQLiteException s ? s.getResultCode().code & 0xff : -1;
  }

  private String say(String message, SQLException e) {
    return "sqlite: " + file + " " + message + ": " + e.getMessage();
  }
}

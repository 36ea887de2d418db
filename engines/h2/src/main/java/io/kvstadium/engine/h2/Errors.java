package io.kvstadium.engine.h2;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import org.h2.api.ErrorCode;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Turns H2's errors into the store's. Immutable.
 *
 * @param file the database, for messages
 */
record Errors(Path file) {
  /**
   * What an error means.
   *
   * @param what the call, for the message
   */
  StadiumException calling(String what, SQLException e) {
    int store = storeError(e);
    if (isFull(e)) {
      return new FullException(
          say(what, "has no room; free space on its disk, and open it again", e), e);
    }
    if (store == DataUtils.ERROR_FILE_CORRUPT || store == DataUtils.ERROR_CHUNK_NOT_FOUND) {
      return corrupt(what, e);
    }
    return switch (e.getErrorCode()) {
      case ErrorCode.DATABASE_ALREADY_OPEN_1 ->
          new LockedException(
              say(what, "is open elsewhere; close it there, or use another directory", e), e);
      case ErrorCode.LOCK_TIMEOUT_1, ErrorCode.DEADLOCK_1, ErrorCode.CONCURRENT_UPDATE_1 ->
          new ConflictException(
              say(what, "has this entry locked by another writer; try again", e), e);
      case ErrorCode.FILE_CORRUPTED_1,
          ErrorCode.FILE_ENCRYPTION_ERROR_1,
          ErrorCode.ROW_NOT_FOUND_IN_PRIMARY_INDEX ->
          corrupt(what, e);
      case ErrorCode.FILE_VERSION_ERROR_1 ->
          new CorruptException(
              say(what, "has a format that H2 2.4 cannot use; use its own version", e), e);
      case ErrorCode.VALUE_TOO_LONG_2 ->
          new BadArgumentException(
              say(what, "cannot take so large an entry; make it smaller", e), e);
      case ErrorCode.IO_EXCEPTION_1,
          ErrorCode.IO_EXCEPTION_2,
          ErrorCode.DATABASE_IS_CLOSED,
          ErrorCode.DATABASE_CALLED_AT_SHUTDOWN,
          ErrorCode.CONNECTION_BROKEN_1,
          ErrorCode.OBJECT_CLOSED,
          ErrorCode.OUT_OF_MEMORY ->
          failed(what, e);
      default ->
          store != 0 ? failed(what, e) : new StadiumException(say(what, "refused a call", e), e);
    };
  }

  private StoreIoException failed(String what, SQLException e) {
    return new StoreIoException(
        say(what, "failed; check disk and rights, then open it again", e), e);
  }

  private CorruptException corrupt(String what, SQLException e) {
    return new CorruptException(
        say(what, "is damaged; restore it, or salvage it with org.h2.tools.Recover", e), e);
  }

  static boolean isDuplicate(SQLException e) {
    return e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1;
  }

  /** Whether another's lock was in the way for longer than the session waits. */
  static boolean isLocked(SQLException e) {
    return e.getErrorCode() == ErrorCode.LOCK_TIMEOUT_1;
  }

  /** Whether an interrupt ended it. */
  static boolean isInterrupt(SQLException failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof InterruptedException) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a statement did not begin because of a table that was being made or dropped: the first
   * one of a view walks over the lists of all tables' indexes, which H2 does not guard. What that
   * ends in is up to the moment.
   */
  static boolean metUnfinishedTable(SQLException failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof RuntimeException
          && Arrays.stream(e.getStackTrace()).anyMatch(Errors::looksForIndexes)) {
        return true;
      }
    }
    return false;
  }

  private static boolean looksForIndexes(StackTraceElement frame) {
    return frame.getClassName().equals("org.h2.engine.SessionLocal")
        && frame.getMethodName().equals("addTableToDependencies");
  }

  /** Whether the database was closed before the call. */
  static boolean isClosed(SQLException e) {
    return e.getErrorCode() == ErrorCode.DATABASE_IS_CLOSED
        || e.getErrorCode() == ErrorCode.DATABASE_CALLED_AT_SHUTDOWN
        || e.getErrorCode() == ErrorCode.CONNECTION_BROKEN_1
        || e.getErrorCode() == ErrorCode.OBJECT_CLOSED;
  }

  /** The code of the error in H2's storage that is behind it, or 0. */
  private static int storeError(SQLException failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof MVStoreException known) {
        return known.getErrorCode();
      }
    }
    return 0;
  }

  /** H2's storage hands on the operating system's words and nothing else. */
  private static boolean isFull(SQLException failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      if (message.contains("no space left") || message.contains("quota exceeded")) {
        return true;
      }
    }
    return false;
  }

  private String say(String what, String wrong, SQLException e) {
    return "h2: " + file + " " + wrong + " (" + what + "): " + e.getMessage();
  }
}

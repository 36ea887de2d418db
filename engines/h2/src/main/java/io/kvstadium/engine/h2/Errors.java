package io.kvstadium.engine.h2;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Blocks;
import io.kvstadium.store.spi.Failure.Kind;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.h2.api.ErrorCode;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/** What H2's errors mean. */
final class Errors {
  private static final Failure DAMAGED =
      new Failure(
          Kind.CORRUPT, "damaged data", "restore it, or salvage it with org.h2.tools.Recover");
  private static final Failure FAILED =
      new Failure(
          Kind.IO,
          "reading or writing store.mv.db failed",
          "check disk and rights, then open it again");

  private static final Pattern FULL =
      Pattern.compile("no space left|quota exceeded", Pattern.CASE_INSENSITIVE);

  private Errors() {}

  /** Returns what a failed call means. */
  static @Nullable Failure of(Throwable thrown) {
    if (!(thrown instanceof SQLException e)) {
      return null;
    }
    int store = storeError(e);
    if (isFull(e)) {
      return Failure.full().blocking(Blocks.ALL);
    }
    if (store == DataUtils.ERROR_FILE_CORRUPT || store == DataUtils.ERROR_CHUNK_NOT_FOUND) {
      return DAMAGED;
    }
    return switch (e.getErrorCode()) {
      case ErrorCode.DATABASE_ALREADY_OPEN_1 ->
          new Failure(
              Kind.LOCKED, "store.mv.db is open elsewhere", "close it, or use another directory");
      case ErrorCode.LOCK_TIMEOUT_1, ErrorCode.DEADLOCK_1, ErrorCode.CONCURRENT_UPDATE_1 ->
          new Failure(Kind.CONFLICT, "another writer has the entry locked", "try again");
      case ErrorCode.FILE_CORRUPTED_1,
          ErrorCode.FILE_ENCRYPTION_ERROR_1,
          ErrorCode.ROW_NOT_FOUND_IN_PRIMARY_INDEX ->
          DAMAGED;
      case ErrorCode.FILE_VERSION_ERROR_1 ->
          new Failure(
              Kind.CORRUPT, "a format that H2 2.4 cannot use", "open it with its own version");
      case ErrorCode.VALUE_TOO_LONG_2 ->
          new Failure(Kind.ARGUMENT, "too large an entry", "make it smaller");
      case ErrorCode.IO_EXCEPTION_1,
          ErrorCode.IO_EXCEPTION_2,
          ErrorCode.DATABASE_IS_CLOSED,
          ErrorCode.DATABASE_CALLED_AT_SHUTDOWN,
          ErrorCode.CONNECTION_BROKEN_1,
          ErrorCode.OBJECT_CLOSED,
          ErrorCode.OUT_OF_MEMORY ->
          FAILED;
      default -> store != 0 ? FAILED : new Failure(Kind.OTHER, "H2 refused a call", "");
    };
  }

  static boolean isDuplicate(SQLException e) {
    return e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1;
  }

  /** Whether an interrupt ended the call. */
  static boolean isInterrupt(SQLException failure) {
    return isBehind(failure, e -> e instanceof InterruptedException);
  }

  /**
   * Whether a statement did not begin because a table was being made or dropped: the first
   * statement of a view walks over the lists of all tables' indexes, which H2 does not guard. How
   * that fails varies.
   */
  static boolean metUnfinishedTable(SQLException failure) {
    return isBehind(
        failure,
        e ->
            e instanceof RuntimeException
                && Arrays.stream(e.getStackTrace()).anyMatch(Errors::looksForIndexes));
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

  /** Returns the code of the error in H2's storage that caused it, or 0. */
  private static int storeError(SQLException failure) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof MVStoreException known) {
        return known.getErrorCode();
      }
    }
    return 0;
  }

  /** H2's storage passes on the operating system's message and nothing else. */
  private static boolean isFull(SQLException failure) {
    return isBehind(failure, e -> FULL.matcher(String.valueOf(e.getMessage())).find());
  }

  private static boolean isBehind(SQLException failure, Predicate<Throwable> what) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (what.test(e)) {
        return true;
      }
    }
    return false;
  }
}

package io.kvstadium.engine.h2;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.h2.api.ErrorCode;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.jspecify.annotations.Nullable;

/** What H2's errors mean. */
final class Errors {
  /** By {@link ErrorCode}. */
  private static final Map<String, Failure> ALL =
      Declarations.failures(Errors.class.getResourceAsStream("failures.txt"));

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
      return ALL.get("damaged");
    }
    Failure known = ALL.get(Integer.toString(e.getErrorCode()));
    return known != null
        ? known
        : store != 0 ? ALL.get("store") : new Failure(Kind.OTHER, "H2 refused a call", "");
  }

  static boolean isDuplicate(SQLException e) {
    return e.getErrorCode() == ErrorCode.DUPLICATE_KEY_1;
  }

  /** Whether an interrupt ended the call. */
  static boolean isInterrupt(Exception failure) {
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

  private static boolean isBehind(Exception failure, Predicate<Throwable> what) {
    for (@Nullable Throwable e = failure; e != null; e = e.getCause()) {
      if (what.test(e)) {
        return true;
      }
    }
    return false;
  }
}

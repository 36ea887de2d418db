package io.kvstadium.engine.sqlite;

import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's errors mean. */
final class Errors {
  /** Of a statement that cannot be prepared. */
  private static final int ERROR = 1;

  /**
   * By primary result codes (https://www.sqlite.org/rescode.html), those that mean something else
   * in an open with the kind of open before them.
   */
  private static final Map<String, Failure> ALL =
      Declarations.failures(Errors.class.getResourceAsStream("failures.txt"));

  private Errors() {}

  /** What a failed open means. */
  static @Nullable Failure ofOpening(Throwable thrown, boolean readOnly) {
    int code = primary(thrown);
    Failure opening =
        ALL.get(readOnly && isHot(thrown) ? "hot" : (readOnly ? "read-" : "open-") + code);
    Failure either = opening != null ? opening : ALL.get("open-" + code);
    return either != null ? either : of(thrown);
  }

  /** What a failed call on an open store means. */
  static @Nullable Failure of(Throwable thrown) {
    Failure known = ALL.get(Integer.toString(primary(thrown)));
    return known == null && thrown instanceof SQLException
        ? new Failure(Kind.OTHER, "SQLite refused a call", "")
        : known;
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

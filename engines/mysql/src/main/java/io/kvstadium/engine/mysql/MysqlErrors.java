package io.kvstadium.engine.mysql;

import io.kvstadium.engine.sql.LostConnection;
import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.ServerUrls;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a server's errors mean. */
final class MysqlErrors {
  // error numbers, the same in MySQL and MariaDB
  private static final int TOO_MANY_CONNECTIONS = 1040;
  private static final int NO_SUCH_DATABASE = 1049;
  private static final int NO_SUCH_TABLE = 1146;
  private static final int DEADLOCK = 1213;
  private static final int TABLE_CHANGED = 1412;

  /** The server shuts down; the connection was killed; it was idle for too long. */
  private static final Set<Integer> ENDED = Set.of(1053, 1927, 4031);

  /**
   * ENOSPC, and the storage engines' own number for it, in a call that failed for another reason.
   */
  private static final Pattern NO_ROOM =
      Pattern.compile("\\(errno: (28|135) |Errcode: 28|error 28 ");

  /** By the server's numbers. */
  private static final Map<String, Failure> ALL =
      Declarations.failures(MysqlErrors.class.getResourceAsStream("failures.txt"));

  private MysqlErrors() {}

  static boolean isDeadlock(SQLException e) {
    return e.getErrorCode() == DEADLOCK;
  }

  /** Whether a connection is gone that there was: it broke, or the server has ended it. */
  static boolean isLost(SQLException e) {
    return !(e instanceof SQLTransientConnectionException) && isBroken(e);
  }

  private static boolean isBroken(SQLException e) {
    return ENDED.contains(e.getErrorCode())
        || (String.valueOf(e.getSQLState()).startsWith("08")
            && e.getErrorCode() != TOO_MANY_CONNECTIONS);
  }

  static boolean isNoSuchDatabase(SQLException e) {
    return e.getErrorCode() == NO_SUCH_DATABASE;
  }

  /** Whether a snapshot reads a table that is not in it, or not in that form. */
  static boolean isNotInSnapshot(SQLException e) {
    return e.getErrorCode() == TABLE_CHANGED || e.getErrorCode() == NO_SUCH_TABLE;
  }

  /**
   * What a failed call means.
   *
   * @param server the private one, if it was started
   */
  static @Nullable Failure of(Throwable thrown, @Nullable PrivateServer server) {
    return switch (thrown) {
      case SQLException e -> of(e, server);
      case InterruptedException _ ->
          new Failure(Kind.IO, "the wait for the private server was interrupted", "try again");
      default -> null;
    };
  }

  private static Failure of(SQLException e, @Nullable PrivateServer server) {
    if (e instanceof SQLTransientConnectionException && e.getErrorCode() == 0) {
      return e.getCause() instanceof SQLException cause
          ? of(cause, server)
          : new Failure(
              Kind.OTHER,
              "no connection was free for 5 s",
              "close snapshots and scans, or raise connections");
    }
    if (isBroken(e)) {
      return server != null && server.hasEnded()
          ? server.failure()
          : e instanceof LostConnection lost ? lost.meaning() : ServerUrls.unreachable(e);
    }
    String text = String.valueOf(e.getMessage());
    if (NO_ROOM.matcher(text).find()) {
      return known("full");
    }
    boolean tooLarge = e.getErrorCode() == 0 && text.contains("max_allowed_packet");
    return known(tooLarge ? "too-large" : Integer.toString(e.getErrorCode()));
  }

  private static Failure known(String code) {
    Failure known = ALL.get(code);
    return known != null ? known : Objects.requireNonNull(ALL.get("other"));
  }
}

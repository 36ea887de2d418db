package io.kvstadium.engine.mysql;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/**
 * Turns a server's errors into the store's. Immutable.
 *
 * @param place the store's, for messages
 * @param server the private one, or {@code null}
 */
record MysqlErrors(String place, @Nullable PrivateServer server) {
  // error numbers, the same in MySQL and MariaDB
  private static final int TOO_MANY_CONNECTIONS = 1040;
  private static final int NO_SUCH_DATABASE = 1049;
  private static final int NO_SUCH_TABLE = 1146;
  private static final int DEADLOCK = 1213;
  private static final int TABLE_CHANGED = 1412;

  static boolean isDeadlock(SQLException e) {
    return e.getErrorCode() == DEADLOCK;
  }

  static boolean isNoSuchDatabase(SQLException e) {
    return e.getErrorCode() == NO_SUCH_DATABASE;
  }

  /** Whether a snapshot reads a table that is not in it, or not in this form. */
  static boolean isNotInSnapshot(SQLException e) {
    return e.getErrorCode() == TABLE_CHANGED || e.getErrorCode() == NO_SUCH_TABLE;
  }

  /**
   * The error of a call.
   *
   * @param what the call, for the message
   */
  StadiumException of(String what, SQLException e) {
    String text = String.valueOf(e.getMessage());
    if (e instanceof SQLTransientConnectionException && e.getErrorCode() == 0) {
      return e.getCause() instanceof SQLException cause
          ? of(what, cause)
          : new StadiumException(
              say(
                  what,
                  "had no connection free for 5 s; close snapshots and scans, or raise connections",
                  ""),
              e);
    }
    String state = String.valueOf(e.getSQLState());
    if (state.startsWith("08") && e.getErrorCode() != TOO_MANY_CONNECTIONS) {
      return unreachable(what, e);
    }
    if (text.contains("(errno: 28 ")
        || text.contains("Errcode: 28")
        || text.contains("error 28 ")) {
      return new FullException(say(what, "has no room; free space on the server's disk", text), e);
    }
    return switch (e.getErrorCode()) {
      case 1205, DEADLOCK, 3024 ->
          new ConflictException(
              say(what, "is locked by another transaction; try again, or wait longer", text), e);
      case TABLE_CHANGED ->
          new ConflictException(
              say(what, "was compacted or made again after this snapshot; take a new one", text),
              e);
      case 1021, 1114, 3675 ->
          new FullException(say(what, "has no room; free space on the server's disk", text), e);
      case 1045, 1698 ->
          new BadArgumentException(
              say(
                  what,
                  "refuses the user or its password; check the URL's user, and password_file or"
                      + " $MYSQL_PWD",
                  text),
              e);
      case 1044, 1142, 1227, 1290, 1792, 1836 ->
          new BadArgumentException(
              say(what, "lacks a right, or is read-only; grant it to the URL's user", text), e);
      case NO_SUCH_DATABASE ->
          new BadArgumentException(say(what, "is no such database; create it first", text), e);
      case TOO_MANY_CONNECTIONS, 1203, 1226 ->
          new StoreIoException(
              say(
                  what,
                  "has too many connections; lower connections, or raise max_connections",
                  text),
              e);
      case 0, 1153, 1301, 1406 ->
          text.contains("max_allowed_packet") || e.getErrorCode() != 0
              ? new BadArgumentException(
                  say(what, "cannot take so large an entry; raise max_allowed_packet", text), e)
              : new StadiumException(say(what, "refused a call", text), e);
      case 1033, 1034, 1194, 1195, 1712, 1813, 1932 ->
          new CorruptException(say(what, "is damaged; restore it", text), e);
      case NO_SUCH_TABLE ->
          new StadiumException(
              say(what, "lost a table to somebody else; open the store again", text), e);
      case 1030, 1026, 1105 ->
          new StoreIoException(say(what, "failed; check the server's disk and log", text), e);
      default -> new StadiumException(say(what, "refused a call", text), e);
    };
  }

  private StadiumException unreachable(String what, SQLException e) {
    if (server != null && server.hasEnded()) {
      return server.ended(e);
    }
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return new StoreIoException(
        cause instanceof UnknownHostException
            ? say(what, "has an unknown host; check the URL", String.valueOf(cause.getMessage()))
            : say(
                what,
                "does not answer; check host and port, and that the server runs",
                cause.toString()),
        e);
  }

  private String say(String what, String message, String detail) {
    return "mysql: "
        + place
        + " "
        + message
        + " ("
        + what
        + (detail.isEmpty() ? ")" : "): " + detail.strip());
  }
}

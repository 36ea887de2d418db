package io.kvstadium.engine.mysql;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Blocks;
import io.kvstadium.store.spi.Failure.Kind;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
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

  /**
   * ENOSPC, and the storage engines' own number for it, in a call that failed for another reason.
   */
  private static final Pattern NO_ROOM =
      Pattern.compile("\\(errno: (28|135) |Errcode: 28|error 28 ");

  private static final Failure FULL =
      new Failure(Kind.FULL, "the server's disk is full", "free space there");
  private static final Failure REFUSED = new Failure(Kind.OTHER, "the server refused a call", "");

  private MysqlErrors() {}

  static boolean isDeadlock(SQLException e) {
    return e.getErrorCode() == DEADLOCK;
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
    String state = String.valueOf(e.getSQLState());
    if (state.startsWith("08") && e.getErrorCode() != TOO_MANY_CONNECTIONS) {
      return server != null && server.hasEnded() ? server.failure() : unreachable(e);
    }
    String text = String.valueOf(e.getMessage());
    if (NO_ROOM.matcher(text).find()) {
      return FULL;
    }
    return switch (e.getErrorCode()) {
      case 1205, DEADLOCK, 3024 ->
          new Failure(Kind.CONFLICT, "another transaction has a lock", "try again, or wait longer");
      case TABLE_CHANGED ->
          new Failure(
              Kind.CONFLICT,
              "the table was compacted or made again after this snapshot",
              "take a new one");
      case 1021, 1114, 3675 -> FULL;
      case 1045, 1698 ->
          new Failure(
              Kind.ARGUMENT,
              "the server refuses the user or its password",
              "check the URL's user, and password_file or $MYSQL_PWD");
      case 1044, 1142, 1227, 1290, 1792, 1836 ->
          new Failure(
              Kind.ARGUMENT,
              "a right is missing, or the server is read-only",
              "grant it to the URL's user");
      case NO_SUCH_DATABASE ->
          new Failure(Kind.ARGUMENT, "there is no such database", "create it first");
      case TOO_MANY_CONNECTIONS, 1203, 1226 ->
          new Failure(
              Kind.IO,
              "too many connections",
              "lower connections, or raise max_connections",
              Blocks.NOTHING);
      case 0, 1153, 1301, 1406 ->
          text.contains("max_allowed_packet") || e.getErrorCode() != 0
              ? new Failure(Kind.ARGUMENT, "too large an entry", "raise max_allowed_packet")
              : REFUSED;
      case 1033, 1034, 1194, 1195, 1712, 1813, 1932 ->
          new Failure(Kind.CORRUPT, "damaged data", "restore it");
      case NO_SUCH_TABLE ->
          new Failure(Kind.OTHER, "somebody else dropped a table", "open the store again");
      case 1030, 1026, 1105 -> new Failure(Kind.IO, "the server failed", "check its disk and log");
      default -> REFUSED;
    };
  }

  private static Failure unreachable(SQLException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof UnknownHostException
        ? new Failure(Kind.IO, "unknown host " + cause.getMessage(), "check the URL")
        : new Failure(
            Kind.IO,
            "the server does not answer, " + cause,
            "check host and port, and that the server runs");
  }
}

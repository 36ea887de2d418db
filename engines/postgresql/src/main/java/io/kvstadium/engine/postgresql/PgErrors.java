package io.kvstadium.engine.postgresql;

import io.kvstadium.engine.sql.LostConnection;
import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.ServerUrls;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What a server's errors mean, by their SQLSTATE. */
final class PgErrors {
  private static final Map<String, Failure> ALL =
      Declarations.failures(PgErrors.class.getResourceAsStream("failures.txt"));

  private PgErrors() {}

  /** Whether the call was rolled back because of others, and may be made again. */
  static boolean isConflict(SQLException e) {
    return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
  }

  /** Whether a connection is gone that there was: it broke, or the server has ended it. */
  static boolean isLost(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return (state.startsWith("08") && !state.equals("08001")) || state.matches("57P0[125]|25P03");
  }

  /** Whether others have made the same table or schema at the same moment. */
  static boolean isMadeByOthers(SQLException e) {
    return "23505".equals(e.getSQLState()) || "42P07".equals(e.getSQLState());
  }

  /**
   * What a failed call means.
   *
   * @param server the private one, if it was started
   */
  static @Nullable Failure of(Throwable thrown, @Nullable PrivateServer server) {
    if (thrown instanceof InterruptedException) {
      return new Failure(Kind.IO, "the wait for the private server was interrupted", "try again");
    }
    if (!(thrown instanceof SQLException e)) {
      return null;
    }
    String state = String.valueOf(e.getSQLState());
    boolean noServer = isLost(e) || state.equals("08001") || state.equals("57P03");
    if (server != null && noServer && server.hasEnded()) {
      return server.failure();
    }
    if (e instanceof LostConnection lost) {
      return lost.meaning();
    }
    if (state.startsWith("08")) {
      return unreachable(e);
    }
    Failure known = ALL.get(state);
    return known != null ? known : Objects.requireNonNull(ALL.get("other"));
  }

  private static Failure unreachable(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return new Failure(
            Kind.ARGUMENT,
            "the server is not trusted, or not encrypted as asked for",
            "check ssl_mode and ssl_root_cert");
      }
    }
    return ServerUrls.unreachable(e);
  }
}

package io.kvstadium.engine.sql;

import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.help.ServerUrls;
import java.io.Serial;
import java.sql.SQLException;

/** A connection broke, or the server ended it, while something was done on it. */
public final class LostConnection extends SQLException {
  @Serial private static final long serialVersionUID = 1;

  private final transient Failure meaning;

  private LostConnection(SQLException cause, Failure meaning) {
    super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    this.meaning = meaning;
  }

  /** Of a transaction that was not committed: the server rolls it back. */
  static LostConnection ofTransaction(SQLException cause) {
    return new LostConnection(
        cause,
        new Failure(
            Kind.CONFLICT,
            "the connection was lost in mid-transaction, so nothing of it is written",
            "run it again"));
  }

  /** Of a view that was read. */
  static LostConnection ofSnapshot(SQLException cause) {
    return new LostConnection(
        cause,
        new Failure(
            Kind.IO,
            "the connection was lost, and the snapshot or scan with it",
            "take a new one",
            Failure.Blocks.NOTHING));
  }

  /** While a change or a commit was under way. */
  static LostConnection ofWrite(SQLException cause) {
    return new LostConnection(cause, ServerUrls.unanswered());
  }

  /** What this means. */
  public Failure meaning() {
    return meaning;
  }
}

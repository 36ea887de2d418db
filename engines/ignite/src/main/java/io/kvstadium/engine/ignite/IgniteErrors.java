package io.kvstadium.engine.ignite;

import static org.apache.ignite.lang.ErrorGroups.Authentication.AUTHENTICATION_ERR_GROUP;
import static org.apache.ignite.lang.ErrorGroups.Client.CONNECTION_ERR;
import static org.apache.ignite.lang.ErrorGroups.Client.TABLE_ID_NOT_FOUND_ERR;
import static org.apache.ignite.lang.ErrorGroups.Replicator.REPLICATOR_ERR_GROUP;
import static org.apache.ignite.lang.ErrorGroups.Sql.SQL_ERR_GROUP;
import static org.apache.ignite.lang.ErrorGroups.Sql.STMT_PARSE_ERR;
import static org.apache.ignite.lang.ErrorGroups.Sql.STMT_VALIDATION_ERR;
import static org.apache.ignite.lang.ErrorGroups.Table.TABLE_NOT_FOUND_ERR;
import static org.apache.ignite.lang.ErrorGroups.Transactions.ACQUIRE_LOCK_ERR;
import static org.apache.ignite.lang.ErrorGroups.Transactions.ACQUIRE_LOCK_TIMEOUT_ERR;

import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Failure.Blocks;
import io.kvstadium.store.spi.Failure.Kind;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.lang.TraceableException;
import org.apache.ignite.tx.RetriableTransactionException;
import org.jspecify.annotations.Nullable;

/**
 * What the client's and the nodes' errors mean. None of them makes a store unusable: what is read
 * afterwards is right, and what was not acknowledged was not promised.
 */
final class IgniteErrors {
  private static final Set<Integer> LOCKS = Set.of(ACQUIRE_LOCK_ERR, ACQUIRE_LOCK_TIMEOUT_ERR);

  private IgniteErrors() {}

  /** Whether nothing was written, and another attempt may succeed. */
  static boolean isConflict(Throwable thrown) {
    Failure failure = of(thrown);
    return failure != null && failure.kind() == Kind.CONFLICT;
  }

  static @Nullable Failure of(Throwable thrown) {
    return switch (thrown) {
      case Calls.WriteFailed failed when failed.getCause() != null -> of(failed.getCause(), true);
      case Commit.LockWait _ ->
          new Failure(
              Kind.CONFLICT, "timed out waiting for a lock", "nothing was written; try again");
      case Commit.NoTableYet _ ->
          new Failure(
              Kind.CONFLICT,
              "a table is younger than the transaction, or somebody else dropped it",
              "nothing was written; try again");
      case Unit.TookTooLong _ ->
          new Failure(
              Kind.OTHER,
              "a transaction took too long, and nothing of it is written",
              "do less in it, or open with a larger transaction_timeout");
      default -> of(thrown, false);
    };
  }

  private static @Nullable Failure of(Throwable thrown, boolean writes) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof TimeoutException) {
        return perhaps(writes, "no answer in time", "try again");
      }
      if (each instanceof TraceableException known
          && known.groupCode() == AUTHENTICATION_ERR_GROUP.groupCode()) {
        return new Failure(
            Kind.ARGUMENT,
            "the cluster refuses the user or the password",
            "check the URL's user, and password_file or $IGNITE_PASSWORD");
      }
    }
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof TraceableException known) {
        return of(known, String.valueOf(each.getMessage()), thrown, writes);
      }
    }
    return null;
  }

  private static Failure of(
      TraceableException known, String said, Throwable thrown, boolean writes) {
    int code = known.code();
    int group = known.groupCode();
    if (LOCKS.contains(code)) {
      return new Failure(
          Kind.CONFLICT, "another transaction has a lock", "nothing was written; try again");
    }
    if (isOfNoTable(code, said)) {
      return new Failure(Kind.ARGUMENT, "table or zone is gone", "somebody else dropped it");
    }
    if (code == STMT_VALIDATION_ERR
        || code == STMT_PARSE_ERR
        || (group == SQL_ERR_GROUP.groupCode() && said.contains("zone"))) {
      return new Failure(Kind.ARGUMENT, "the nodes refuse a call", "");
    }
    if (code == CONNECTION_ERR) {
      boolean unsent = said.contains("failed to connect") || said.contains("andshake");
      return perhaps(writes && !unsent, "no node answers", "check host and port, and that it runs");
    }
    if (!writes
        && (thrown instanceof RetriableTransactionException
            || group == REPLICATOR_ERR_GROUP.groupCode())) {
      return new Failure(Kind.CONFLICT, "a replica was not available", "try again");
    }
    return perhaps(writes, "a node failed", "see its log");
  }

  /** Whether a call has failed because there is no such table, or not yet in its transaction. */
  static boolean isOfNoTable(Throwable thrown) {
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each instanceof TraceableException known) {
        return isOfNoTable(known.code(), String.valueOf(each.getMessage()));
      }
    }
    return false;
  }

  private static boolean isOfNoTable(int code, String said) {
    return code == TABLE_ID_NOT_FOUND_ERR
        || code == TABLE_NOT_FOUND_ERR
        || (code == STMT_VALIDATION_ERR && said.contains("not found"));
  }

  /** An error that leaves the outcome of a write open: it may be there, or appear later. */
  private static Failure perhaps(boolean writes, String what, String advice) {
    return writes
        ? new Failure(
            Kind.UNKNOWN_OUTCOME,
            what + "; the write may be there, or appear later",
            "a put or a deletion may be done again, which does no harm")
        : new Failure(Kind.IO, what, advice, Blocks.NOTHING);
  }
}

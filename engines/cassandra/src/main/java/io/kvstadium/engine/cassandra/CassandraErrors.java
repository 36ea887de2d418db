package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the driver's and the nodes' errors mean. None of them makes a store unusable: what is read
 * afterwards is right, and what was not acknowledged was not promised.
 */
final class CassandraErrors {
  private static final String AGAIN = "a put or a deletion may be done again, which does no harm";

  private CassandraErrors() {}

  static @Nullable Failure of(Throwable thrown) {
    return switch (thrown) {
      case AuthenticationException _ -> badPassword();
      case UnauthorizedException _ ->
          new Failure(Kind.ARGUMENT, "a right is missing", "grant it to the URL's user");
      case UnavailableException e ->
          io(
              "too few replicas are up, " + e.getAlive() + " of " + e.getRequired(),
              "nothing was written; start nodes, or use a keyspace with other replication");
      case WriteTimeoutException e ->
          perhaps(
              e,
              "%d of %d replicas have answered in time".formatted(e.getReceived(), e.getBlockFor()),
              AGAIN);
      case WriteFailureException e ->
          perhaps(
              e,
              "%d replicas failed, %d of %d have written"
                  .formatted(e.getNumFailures(), e.getReceived(), e.getBlockFor()),
              "see their logs");
      case ReadTimeoutException e ->
          io(
              "%d of %d replicas have answered in time".formatted(e.getReceived(), e.getBlockFor()),
              "try again");
      case ReadFailureException _ ->
          io(
              "replicas failed to read",
              "see their logs; a range with very many deletions fails until it is compacted");
      case OverloadedException e -> perhaps(e, "the node is overloaded", "try again");
      case BootstrappingException e -> perhaps(e, "the node is not ready", "try again");
      case DriverTimeoutException e -> perhaps(e, "no answer in time", AGAIN);
      case QueryValidationException e -> refused(String.valueOf(e.getMessage()));
      case CoordinatorException e -> perhaps(e, "a node failed", "see its log");
      case AllNodesFailedException e -> allFailed(e);
      case DriverException e -> perhaps(e, "the cluster cannot be reached", AGAIN);
      case IllegalStateException e when String.valueOf(e.getMessage()).contains("local DC") ->
          new Failure(
              Kind.ARGUMENT,
              "the URL's nodes are of several datacenters",
              "name one: datacenter=…");
      default -> null;
    };
  }

  private static Failure io(String what, String advice) {
    return new Failure(Kind.IO, what, advice, Blocks.NOTHING);
  }

  /** An error that leaves the outcome of a write open: it may be there, or appear later. */
  private static Failure perhaps(DriverException e, String what, String advice) {
    ExecutionInfo info = e.getExecutionInfo();
    boolean writes =
        info != null
            && switch (info.getRequest()) {
              case BatchStatement _ -> true;
              case BoundStatement one ->
                  !one.getPreparedStatement().getQuery().startsWith("SELECT");
              default -> false; // of ours, a look at the schema
            };
    return writes
        ? new Failure(
            Kind.UNKNOWN_OUTCOME, what + "; the write may be there, or appear later", advice)
        : io(what, "try again");
  }

  private static Failure refused(String said) {
    if (said.contains("does not exist") || said.contains("unconfigured table")) {
      return new Failure(Kind.ARGUMENT, "table or keyspace is gone", "somebody else dropped it");
    }
    return said.contains("exceeds allowed maximum")
        ? new Failure(
            Kind.ARGUMENT,
            "a request is too long for the nodes",
            "make batches and values smaller, or give the nodes more heap")
        : new Failure(Kind.ARGUMENT, "the nodes refuse a call", "");
  }

  private static Failure badPassword() {
    return new Failure(
        Kind.ARGUMENT,
        "the cluster refuses the user or the password",
        "check the URL's user, and password_file or $CASSANDRA_PASSWORD");
  }

  /** What they have in common, or that no node could be asked. */
  private static Failure allFailed(AllNodesFailedException e) {
    for (List<Throwable> each : e.getAllErrors().values()) {
      for (Throwable error : each) {
        Failure known = error instanceof AllNodesFailedException ? null : of(error);
        if (known != null
            && (known.kind() == Kind.ARGUMENT || error instanceof CoordinatorException)) {
          return known;
        }
      }
    }
    boolean nothingSent =
        e instanceof NoNodeAvailableException
            || String.valueOf(e.getMessage()).contains("any contact point");
    String advice = "check host and port, and that the nodes run";
    return nothingSent ? io("no node answers", advice) : perhaps(e, "no node answers", advice);
  }
}

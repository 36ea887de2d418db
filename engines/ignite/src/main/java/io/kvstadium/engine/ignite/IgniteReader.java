package io.kvstadium.engine.ignite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.sql.Statement;
import org.apache.ignite.sql.async.AsyncResultSet;
import org.apache.ignite.tx.Transaction;
import org.apache.ignite.tx.TransactionOptions;
import org.jspecify.annotations.Nullable;

/**
 * Reads in a transaction of Ignite's, or each on its own.
 *
 * <p>Without a transaction, a get is answered by the primary replica with what is committed there
 * now. SQL without one reads as of a timestamp, which is at least that of the latest answer that
 * this client got, so it sees all that this client has written. It is certain to see what others
 * wrote shortly before only after {@link #learnTime}, which asks a node for its time.
 */
class IgniteReader implements EngineReader<IgniteTable> {
  /** Keys that a multi-get without a transaction asks for at once. */
  private static final int MOST_IN_FLIGHT = 128;

  /** How long nodes keep deleted entries for the transactions that read them. */
  private static final Duration LONGEST = Duration.ofHours(24);

  final Connection connection;
  private final @Nullable Transaction transaction;

  IgniteReader(Connection connection, @Nullable Transaction transaction) {
    this.connection = connection;
    this.transaction = transaction;
  }

  /** Waits for an answer. */
  <R extends @Nullable Object> R await(CompletableFuture<R> call) {
    return Calls.read(call);
  }

  /** Makes sure that SQL from now on shows all that a node knows by now. */
  final void learnTime() {
    // the answer to this request has the node's time; no cheaper request's answer has it
    Calls.read(connection.client().tables().tablesAsync());
  }

  /** Whether each read is on its own. */
  final boolean isOutside() {
    return transaction == null;
  }

  /**
   * A transaction that reads what there is now, to be rolled back; its first statement begins it.
   */
  final Transaction beginReadOnly() {
    return Calls.read(
        connection
            .client()
            .transactions()
            .beginAsync(new TransactionOptions().readOnly(true).timeoutMillis(LONGEST.toMillis())));
  }

  @Override
  public byte @Nullable [] get(IgniteTable table, byte[] key) {
    return await(table.view().getAsync(transaction, key));
  }

  @Override
  public boolean exists(IgniteTable table, byte[] key) {
    return await(table.view().containsAsync(transaction, key));
  }

  @Override
  public byte[] @Nullable [] getAll(IgniteTable table, byte[][] keys) {
    return transaction == null ? getSingly(table, keys) : getTogether(table, keys);
  }

  /** Without a transaction: in a shared request, keys would wait for others' locks. */
  private byte[] @Nullable [] getSingly(IgniteTable table, byte[][] keys) {
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    List<CompletableFuture<byte[]>> requests = new ArrayList<>(keys.length);
    for (int i = 0; i < keys.length + MOST_IN_FLIGHT; i++) {
      if (i < keys.length) {
        requests.add(table.view().getAsync(null, keys[i]));
      }
      int answered = i - MOST_IN_FLIGHT;
      if (answered >= 0) {
        values[answered] = await(requests.get(answered));
      }
    }
    return values;
  }

  private byte[] @Nullable [] getTogether(IgniteTable table, byte[][] keys) {
    Map<ByteBuffer, byte[]> found = new HashMap<>();
    await(table.view().getAllAsync(transaction, Arrays.asList(keys)))
        .forEach((key, value) -> found.put(ByteBuffer.wrap(key), value));
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      values[i] = found.get(ByteBuffer.wrap(keys[i]));
    }
    return values;
  }

  /** Returns all rows of a statement, for those that return few. */
  final List<SqlRow> query(String query, int most, Object... arguments) {
    Statement statement =
        connection.client().sql().statementBuilder().query(query).pageSize(most).build();
    List<SqlRow> rows = new ArrayList<>();
    AsyncResultSet<SqlRow> answer =
        await(connection.client().sql().executeAsync(transaction, statement, arguments));
    while (true) {
      answer.currentPage().forEach(rows::add);
      if (!answer.hasMorePages()) {
        return rows;
      }
      AsyncResultSet<SqlRow> before = answer;
      answer = await(before.fetchNextPage().thenApply(_ -> before));
    }
  }

  @Override
  public EngineCursor cursor(IgniteTable table, Range range) {
    return new IgniteCursor(this, table, range);
  }
}

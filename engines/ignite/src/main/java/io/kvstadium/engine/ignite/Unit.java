package io.kvstadium.engine.ignite;

import java.time.Duration;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.tx.Transaction;
import org.apache.ignite.tx.TransactionOptions;

/**
 * A read-write transaction of Ignite's that is never committed late. Ignite 3.1 rolls a transaction
 * back when its time is over, but still acknowledges a commit that comes afterwards. So the nodes
 * are given more time than this takes, by all that the commit may need.
 */
final class Unit implements AutoCloseable {
  private static final Duration SPARE = Duration.ofSeconds(5);

  private final Transaction transaction;
  private final Duration longest;
  private final long begun = System.nanoTime();
  private boolean over;

  private Unit(Transaction transaction, Duration longest) {
    this.transaction = transaction;
    this.longest = longest;
  }

  static Unit begin(IgniteClient client, Address address) {
    Duration longest = address.options().duration(IgniteOptions.TRANSACTION_TIMEOUT);
    long atNodes = longest.plus(address.timeout().multipliedBy(2)).plus(SPARE).toMillis();
    return new Unit(
        Calls.read(
            client.transactions().beginAsync(new TransactionOptions().timeoutMillis(atNodes))),
        longest);
  }

  Transaction transaction() {
    return transaction;
  }

  /** Commits; an exception other than {@link Calls.WriteFailed} says that nothing was written. */
  void commit() {
    if (System.nanoTime() - begun > longest.toNanos()) {
      throw new TookTooLong(longest);
    }
    over = true;
    Calls.write(transaction.commitAsync());
  }

  /**
   * Rolls back without waiting for the answer, which comes only when the node has given up waiting
   * for a lock on its behalf.
   */
  void leave() {
    if (!over) {
      over = true;
      var _ = transaction.rollbackAsync();
    }
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      Calls.read(transaction.rollbackAsync());
    }
  }

  /** It was not committed. */
  static final class TookTooLong extends RuntimeException {
    private static final long serialVersionUID = 1;

    TookTooLong(Duration longest) {
      super("a transaction has taken longer than " + longest.toMillis() + " ms");
    }
  }
}

package io.kvstadium.server.command;

import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Eviction;
import io.kvstadium.server.database.Eviction.Policy;
import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Statistics;
import io.kvstadium.server.notify.Listeners;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.BadArgumentException;
import java.util.function.Consumer;

/** The size that the databases are kept below: maxmemory, and what gives way. */
public final class SizeLimit {
  private final Executor executor;
  private final Databases databases;
  private final Listeners listeners;
  private final Statistics statistics;
  private final Consumer<RuntimeException> reporter;
  private volatile long max;
  private volatile Policy policy = Policy.NOEVICTION;

  SizeLimit(
      Executor executor,
      Databases databases,
      Listeners listeners,
      Statistics statistics,
      Consumer<RuntimeException> reporter) {
    this.executor = executor;
    this.databases = databases;
    this.listeners = listeners;
    this.statistics = statistics;
    this.reporter = reporter;
  }

  /** What gives way, in Redis' words. */
  public String policy() {
    return policy.word();
  }

  /**
   * Makes sure that {@link #limit} would accept its parameters.
   *
   * @throws BadArgumentException if it would not
   */
  public static void check(long bytes, String eviction, boolean raw) {
    Policy wanted = Policy.of(eviction);
    if (bytes != 0 && raw) {
      throw new BadArgumentException(
          "a bound on the size (--max-size, max_size) is for databases, but --raw serves plain tables:"
              + " leave one of them out");
    }
    if (bytes == 0 && wanted != Policy.NOEVICTION) {
      throw new BadArgumentException(
          "eviction " + eviction + " without a size to keep: give --max-size (max_size) too");
    }
  }

  /**
   * Keeps the databases below a size from now on. What they have is counted first, unless it was.
   *
   * @param bytes unsigned; 0 for any size
   * @param eviction what gives way, in Redis' words
   */
  public synchronized void limit(long bytes, String eviction) {
    Policy wanted = Policy.of(eviction);
    if (bytes != 0 && databases.raw()) {
      throw ReplyException.error("this server serves plain tables (--raw), without a bound");
    }
    max = bytes;
    policy = wanted;
    boolean bounded = bytes != 0;
    long limit = bytes <= 0 ? Long.MAX_VALUE : bytes;
    Eviction next =
        bounded || wanted.learns() ? new Eviction(databases, limit, wanted, statistics) : null;
    Chore change =
        new Chore() {
          @Override
          public void execute(CommitGroup commitGroup) {
            databases.keep(next, bounded);
          }

          @Override
          public boolean isLong() {
            return true;
          }

          @Override
          public void failed(RuntimeException cause) {
            reporter.accept(cause);
          }
        };
    if (executor.writesAtOnce(1)) {
      executor.writeNow(change);
    } else {
      executor.write(change);
    }
  }

  /** The size that the databases are kept below, as an unsigned number; 0 for any. */
  public long max() {
    return max;
  }

  /**
   * Makes room for what adds to the databases, if their size is bounded. What was executed before
   * can no longer be undone.
   *
   * @param bytes roughly what is added
   * @throws ReplyException if there is nothing left to remove
   */
  public void makeRoom(Databases.View view, long bytes) {
    Eviction eviction = databases.eviction();
    if (eviction == null || !eviction.isOver(view, bytes)) {
      return;
    }
    view.savepoint();
    boolean some = eviction.shrink(view, bytes);
    listeners.removed(view);
    view.savepoint();
    if (!some) {
      throw new ReplyException(Eviction.REFUSAL);
    }
  }

  /** Removes what is over the bound, for nobody; returns whether there is more. */
  public boolean shrink(Databases.View view) {
    Eviction eviction = databases.eviction();
    if (eviction == null || !eviction.isOver(view, 0)) {
      return false;
    }
    boolean some = eviction.shrink(view, 0);
    listeners.removed(view);
    return some && eviction.isOver(view, 0);
  }
}

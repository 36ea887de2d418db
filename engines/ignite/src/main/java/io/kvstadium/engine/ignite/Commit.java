package io.kvstadium.engine.ignite;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.Write;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of Ignite's that writes, and first compares what the writes depend on. It locks
 * both. If two want the same lock, the one that began later fails at once, unless it got there
 * first, so there is no circular wait. The other one waits. This is short, since no user code runs
 * meanwhile.
 */
final class Commit extends IgniteReader implements AutoCloseable {
  /** For the network, and for what nodes have to do in addition. */
  private static final Duration ANSWER = Duration.ofSeconds(1);

  private final Unit unit;
  private final Duration patience;

  /** Set once a call failed: the nodes have then rolled back. */
  private @Nullable RuntimeException failure;

  private Commit(Connection connection, Unit unit, Duration lockTimeout) {
    super(connection, unit.transaction());
    this.unit = unit;
    this.patience = lockTimeout.plus(ANSWER);
  }

  static Commit begin(Connection connection, Address address, Duration lockTimeout) {
    return new Commit(connection, Unit.begin(connection.client(), address), lockTimeout);
  }

  @Override
  <R extends @Nullable Object> R await(CompletableFuture<R> call) {
    if (failure != null) {
      throw failure;
    }
    try {
      return Calls.read(call.copy().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (RuntimeException e) {
      failure = meaning(e);
      throw failure;
    }
  }

  private RuntimeException meaning(RuntimeException e) {
    if (e.getCause() instanceof TimeoutException) {
      return new LockWait(patience);
    }
    return NoTableYet.meaning(e);
  }

  // ---- what the writes depend on

  /** Compares a range with what was there before. */
  void compare(IgniteTable table, Range range, IgniteReader before) {
    try (EngineCursor old = before.cursor(table, range);
        EngineCursor now = cursor(table, range)) {
      while (true) {
        boolean more = old.next();
        if (now.next() != more
            || (more && !Arrays.equals(old.key(), now.key()))
            || (more && !range.withoutValues() && !Arrays.equals(old.value(), now.value()))) {
          throw changed(table);
        }
        if (!more) {
          return;
        }
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // cursors of this package throw nothing checked
    }
  }

  /** Compares entries with what was there before. */
  void compare(IgniteTable table, List<Seen> seen) {
    if (seen.isEmpty()) {
      return;
    }
    byte[] @Nullable [] now = getAll(table, seen.stream().map(Seen::key).toArray(byte[][]::new));
    for (int i = 0; i < now.length; i++) {
      if (!Arrays.equals(now[i], seen.get(i).value())) {
        throw changed(table);
      }
    }
  }

  /** Writes entries if they are as they were before; for each write, what was seen. */
  void exchange(IgniteTable table, Map<Write<IgniteTable>, Seen> writes) {
    List<CompletableFuture<Boolean>> requests = new ArrayList<>();
    writes.forEach((write, seen) ->
        requests.add(table.exchange(unit.transaction(), seen.key(), seen.value(), write.value())));
    // wait for all, even if one has failed: Ignite 3.1 may leave a lock to a request that a
    // rollback overtakes
    await(CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new)));
    if (!requests.stream().allMatch(CompletableFuture::join)) {
      throw changed(table);
    }
  }

  private static ConflictException changed(IgniteTable table) {
    return new ConflictException(
        "engine ignite: what the transaction read in table "
            + table.name()
            + " was changed before its commit: run it again");
  }

  // ---- writes

  /**
   * Writes in a batch's order. Of the writes of a key only the last one counts, up to the next
   * removal of a range.
   */
  void apply(List<Write<IgniteTable>> writes) {
    Map<IgniteTable, Map<ByteBuffer, Write<IgniteTable>>> last = new LinkedHashMap<>();
    for (Write<IgniteTable> write : writes) {
      Range range = write.range();
      if (range == null) {
        last.computeIfAbsent(write.table(), _ -> new LinkedHashMap<>())
            .put(ByteBuffer.wrap(write.key()), write);
      } else {
        last.forEach(this::applySingle);
        last.clear();
        await(
            connection
                .client()
                .sql()
                .executeAsync(
                    unit.transaction(), write.table().deletion(range), IgniteTable.bounds(range)));
      }
    }
    last.forEach(this::applySingle);
  }

  private void applySingle(IgniteTable table, Map<ByteBuffer, Write<IgniteTable>> writes) {
    IdentityHashMap<byte[], byte[]> puts = new IdentityHashMap<>();
    List<byte[]> deletions = new ArrayList<>();
    for (Write<IgniteTable> write : writes.values()) {
      byte[] value = write.value();
      if (value == null) {
        deletions.add(write.key());
      } else {
        puts.put(write.key(), value);
      }
    }
    if (!puts.isEmpty()) {
      await(table.view().putAllAsync(unit.transaction(), puts));
    }
    if (!deletions.isEmpty()) {
      await(table.view().removeAllAsync(unit.transaction(), deletions));
    }
  }

  void commit() {
    if (failure != null) {
      throw failure;
    }
    unit.commit();
  }

  @Override
  public void close() {
    if (failure instanceof LockWait) {
      unit.leave();
    } else {
      unit.close();
    }
  }

  /**
   * An entry as a transaction has read it.
   *
   * @param value or {@code null} if there was none
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Seen(byte[] key, byte @Nullable [] value) {}

  /** It is not known what a call waited for, but it is most likely a lock. */
  static final class LockWait extends RuntimeException {
    private static final long serialVersionUID = 1;

    LockWait(Duration patience) {
      super("no lock, or no answer, within " + patience.toMillis() + " ms");
    }
  }

  /** A transaction knows only the tables that existed when it began. */
  static final class NoTableYet extends RuntimeException {
    private static final long serialVersionUID = 1;

    private NoTableYet(RuntimeException cause) {
      super(cause.getMessage(), cause);
    }

    static RuntimeException meaning(RuntimeException e) {
      return IgniteErrors.isOfNoTable(e) ? new NoTableYet(e) : e;
    }
  }
}

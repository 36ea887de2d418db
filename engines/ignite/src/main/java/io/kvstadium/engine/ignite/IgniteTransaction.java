package io.kvstadium.engine.ignite;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Write;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ignite.client.IgniteClient;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that locks what it reads and writes, and the gaps between what it scans. Of two
 * that want the same, the one that was begun later fails at once, unless it is there first: so none
 * waits in a circle. The other one waits.
 */
final class IgniteTransaction extends IgniteReader implements EngineTransaction<IgniteTable> {
  /** For the way, and for what nodes have to do beside. */
  private static final Duration ANSWER = Duration.ofSeconds(1);

  private final Unit unit;
  private final Duration patience;

  /** The nodes have rolled back then. */
  private @Nullable RuntimeException failure;

  private IgniteTransaction(IgniteClient client, Unit unit, Duration lockTimeout) {
    super(client, unit.transaction());
    this.unit = unit;
    this.patience = lockTimeout.plus(ANSWER);
  }

  static IgniteTransaction begin(IgniteClient client, Address address, Duration lockTimeout) {
    return new IgniteTransaction(client, Unit.begin(client, address), lockTimeout);
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
    return IgniteErrors.isOfNoTable(e) ? new NoTableYet(e) : e;
  }

  @Override
  public void put(IgniteTable table, byte[] key, byte[] value) {
    await(table.view().putAsync(unit.transaction(), key, value));
  }

  @Override
  public void delete(IgniteTable table, byte[] key) {
    await(table.view().removeAsync(unit.transaction(), key));
  }

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
            client
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

  @Override
  public void commit() {
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

  /** Nobody knows what a call waited for, but it is most likely a lock. */
  static final class LockWait extends RuntimeException {
    private static final long serialVersionUID = 1;

    LockWait(Duration patience) {
      super("no lock, or no answer, within " + patience.toMillis() + " ms");
    }
  }

  /** A transaction knows the tables that there were when it began. */
  static final class NoTableYet extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoTableYet(RuntimeException cause) {
      super(cause.getMessage(), cause);
    }
  }
}

package io.kvstadium.engine.ignite;

import io.kvstadium.engine.ignite.Commit.NoTableYet;
import io.kvstadium.engine.ignite.Commit.Seen;
import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Write;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.ignite.tx.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that holds no lock while its block runs. It reads as of the moment of its first
 * read, and keeps its writes to itself. To commit, it compares in a {@link Commit} what it read
 * with what is there by then, and writes if they are the same: as if all of it had happened at the
 * commit.
 */
final class IgniteTransaction implements EngineTransaction<IgniteTable> {
  private final IgniteReader latest;
  private final Address address;
  private final Duration lockTimeout;
  private final Map<Integer, Touched> tables = new LinkedHashMap<>();
  private @Nullable Transaction moment;
  private @Nullable IgniteReader reader;

  IgniteTransaction(IgniteReader latest, Address address, Duration lockTimeout) {
    this.latest = latest;
    this.address = address;
    this.lockTimeout = lockTimeout;
  }

  private Touched touched(IgniteTable table) {
    return tables.computeIfAbsent(table.id(), _ -> new Touched(table));
  }

  private IgniteReader reader() {
    IgniteReader known = reader;
    if (known == null) {
      latest.learnTime();
      Transaction begun = latest.beginReadOnly();
      known = new MomentReader(latest, begun);
      moment = begun;
      reader = known;
    }
    return known;
  }

  @Override
  public byte @Nullable [] get(IgniteTable table, byte[] key) {
    Touched touched = touched(table);
    Write<IgniteTable> write = touched.write(key);
    if (write != null) {
      return copy(write.value());
    }
    Seen seen = touched.read(key);
    if (seen == null) {
      seen = new Seen(key.clone(), reader().get(table, key));
      touched.add(seen);
    }
    return copy(seen.value());
  }

  private static byte @Nullable [] copy(byte @Nullable [] bytes) {
    return bytes == null ? null : bytes.clone();
  }

  @Override
  public byte[] @Nullable [] getAll(IgniteTable table, byte[][] keys) {
    Touched touched = touched(table);
    byte[][] unread =
        Arrays.stream(keys)
            .filter(key -> touched.write(key) == null && touched.read(key) == null)
            .map(byte[]::clone)
            .toArray(byte[][]::new);
    if (unread.length > 0) {
      byte[] @Nullable [] values = reader().getAll(table, unread);
      for (int i = 0; i < unread.length; i++) {
        touched.add(new Seen(unread[i], values[i]));
      }
    }
    byte[] @Nullable [] all = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      all[i] = get(table, keys[i]);
    }
    return all;
  }

  @Override
  public EngineCursor cursor(IgniteTable table, Range range) {
    return touched(table).cursor(reader().cursor(table, range), range);
  }

  @Override
  public void put(IgniteTable table, byte[] key, byte[] value) {
    touched(table).add(new Write<>(table, key.clone(), value.clone()));
  }

  @Override
  public void delete(IgniteTable table, byte[] key) {
    touched(table).add(new Write<>(table, key.clone(), null));
  }

  @Override
  public void commit() {
    if (tables.values().stream().allMatch(Touched::isOnlyRead)) {
      return; // all reads are of one moment
    }
    try (Commit commit = Commit.begin(latest.connection, address, lockTimeout)) {
      tables.values().forEach(touched -> touched.commit(commit, reader));
      commit.commit();
    }
  }

  @Override
  public void close() {
    if (moment != null) {
      // not waited for: a node that misses this ends it with the connection
      var _ = moment.rollbackAsync();
    }
  }

  /** Reads as of one moment, from the tables that existed then. */
  private static final class MomentReader extends IgniteReader {
    MomentReader(IgniteReader latest, Transaction moment) {
      super(latest.connection, moment);
    }

    @Override
    <R extends @Nullable Object> R await(CompletableFuture<R> call) {
      try {
        return super.await(call);
      } catch (RuntimeException e) {
        throw NoTableYet.meaning(e);
      }
    }
  }
}

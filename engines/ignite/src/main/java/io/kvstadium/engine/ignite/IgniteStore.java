package io.kvstadium.engine.ignite;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.EngineSnapshot;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.EngineTransaction;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.Portions;
import io.kvstadium.store.spi.StoreConfig;
import io.kvstadium.store.spi.Write;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.ignite.network.ClusterNode;
import org.apache.ignite.sql.SqlRow;
import org.jspecify.annotations.Nullable;

/** A zone. */
final class IgniteStore extends IgniteReader implements EngineStore<IgniteTable> {
  private static final int MOST_COPIES = 3;

  /** Bytes of entries that are loaded together. */
  private static final long PORTION = 1 << 19;

  /** Keys that are removed together. */
  private static final int REMOVED_TOGETHER = 1_024;

  /** How long a batch waits for those who hold locks. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long LONGEST_PAUSE_NANOS = 10_000_000;

  private final Address address;
  private final Schema schema;
  private final Durability durability;

  private IgniteStore(
      Connection connection, Address address, Schema schema, Durability durability) {
    super(connection, null);
    this.address = address;
    this.schema = schema;
    this.durability = durability;
  }

  static IgniteStore open(StoreConfig config, Address address) {
    Connection connection = address.connect();
    try {
      Schema schema = new Schema(connection, address.zone());
      IgniteStore store = new IgniteStore(connection, address, schema, config.durability());
      if (config.durability() != Durability.NONE
          && config.durability() != Durability.ENGINE_DEFAULT) {
        store.raftLog().demand(config.durability(), address);
      }
      if (!config.readOnly() && !schema.hasStore()) {
        if (schema.description() == null) {
          store.makeZone(config.options());
        }
        schema.makeTable(Store.DEFAULT_TABLE);
      }
      return store;
    } catch (RuntimeException | Error e) {
      connection.close();
      throw e;
    }
  }

  private void makeZone(Options options) {
    schema.makeZone(
        options.has(IgniteOptions.PARTITIONS) ? options.integer(IgniteOptions.PARTITIONS) : null,
        options.has(IgniteOptions.REPLICAS)
            ? options.integer(IgniteOptions.REPLICAS)
            : Math.min(MOST_COPIES, nodes().size()),
        options.text(IgniteOptions.STORAGE_PROFILE));
  }

  private List<ClusterNode> nodes() {
    return List.copyOf(Calls.read(connection.client().cluster().nodesAsync()));
  }

  private RaftLog raftLog() {
    Set<String> profiles = schema.storageProfiles();
    return RaftLog.of(
        connection.client(),
        address,
        profiles.isEmpty()
            ? Set.of(address.options().text(IgniteOptions.STORAGE_PROFILE))
            : profiles);
  }

  // ---- what it is

  @Override
  public Set<Capability> capabilities() {
    return IgniteEngine.CAPABILITIES;
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public Set<String> tables() {
    return schema.tables().keySet();
  }

  @Override
  public @Nullable IgniteTable openTable(String name, Options options, boolean create) {
    IgniteTable table = schema.table(name);
    if (table == null && create) {
      schema.makeTable(name);
      table = schema.table(name);
    }
    return table;
  }

  @Override
  public void dropTable(IgniteTable table) {
    schema.dropTable(table.name());
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return IgniteErrors.of(thrown);
  }

  // ---- entries

  @Override
  public void put(IgniteTable table, byte[] key, byte[] value) {
    Calls.write(table.view().putAsync(null, key, value));
  }

  @Override
  public void delete(IgniteTable table, byte[] key) {
    Calls.write(table.view().removeAsync(null, key));
  }

  @Override
  public boolean exchange(
      IgniteTable table, byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
    return Calls.write(table.exchange(null, key, expected, value));
  }

  /** In a transaction, which is run again if it loses. */
  @Override
  public void write(List<Write<IgniteTable>> writes) {
    long begun = System.nanoTime();
    while (true) {
      try (Commit batch = Commit.begin(connection, address, PATIENCE)) {
        batch.apply(writes);
        batch.commit();
        return;
      } catch (RuntimeException e) {
        if (!IgniteErrors.isConflict(e) || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw e;
        }
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
    }
  }

  @Override
  public long delete(IgniteTable table, Range range) {
    return Calls.write(
            connection
                .client()
                .sql()
                .executeAsync(null, table.deletion(range), IgniteTable.bounds(range)))
        .affectedRows();
  }

  @Override
  public EngineTransaction<IgniteTable> begin(TransactionMode mode, Duration lockTimeout) {
    return new IgniteTransaction(this, address, lockTimeout);
  }

  @Override
  public EngineSnapshot<IgniteTable> snapshot() {
    return IgniteSnapshot.of(this, schema);
  }

  // ---- the whole

  /** A transaction for each portion. */
  @Override
  public void load(IgniteTable table, Iterator<Entry> entries, boolean sorted) {
    Portions.forEach(
        entries,
        PORTION,
        portion -> {
          Map<ByteBuffer, Entry> last = new LinkedHashMap<>();
          portion.forEach(entry -> last.put(ByteBuffer.wrap(entry.key()), entry));
          IdentityHashMap<byte[], byte[]> puts = new IdentityHashMap<>();
          last.values().forEach(entry -> puts.put(entry.key(), entry.value()));
          Calls.write(table.view().putAllAsync(null, puts));
        });
  }

  /** In portions, since a transaction over all of a large table would take too long. */
  @Override
  public boolean clear(IgniteTable table) {
    Range rest = Range.all().keysOnly();
    learnTime();
    while (true) {
      List<byte[]> keys =
          query(table.page(rest, REMOVED_TOGETHER), REMOVED_TOGETHER, IgniteTable.bounds(rest))
              .stream()
              .map(row -> row.bytesValue(0))
              .toList();
      if (!keys.isEmpty()) {
        Calls.write(table.view().removeAllAsync(null, keys));
        rest = rest.from(keys.getLast(), false);
      }
      if (keys.size() < REMOVED_TOGETHER) {
        return true;
      }
    }
  }

  @Override
  public long count(IgniteTable table) {
    learnTime();
    return query("SELECT COUNT(*) FROM " + table.sql(), 1).getFirst().longValue(0);
  }

  @Override
  public void sync() {
    RaftLog log = raftLog();
    if (log.level() != Durability.POWER) {
      throw new UnsupportedException(
          "ignite: sync() is not possible: what is known of the nodes of "
              + address
              + " is "
              + log.nodes()
              + "; with raft.fsync=true all that is acknowledged is synced");
    }
  }

  @Override
  public Map<String, String> stats() {
    Map<String, String> stats = new LinkedHashMap<>();
    SqlRow zone = schema.description();
    if (zone != null) {
      stats.put("partitions", String.valueOf(zone.<Object>value(0)));
      stats.put("replicas", String.valueOf(zone.<Object>value(1)));
      stats.put("consistency_mode", String.valueOf(zone.<Object>value(2)));
    }
    stats.put("storage_profiles", String.join(",", schema.storageProfiles()));
    for (ClusterNode node : nodes()) {
      stats.put("node " + node.name(), node.address().toString());
    }
    return stats;
  }

  @Override
  public void close() {
    connection.close();
  }
}

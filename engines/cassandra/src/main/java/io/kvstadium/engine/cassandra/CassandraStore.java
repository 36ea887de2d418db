package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.Portions;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A keyspace. */
final class CassandraStore implements EngineStore<CassandraTable> {
  private static final int MOST_COPIES = 3;

  /** For one load or multi-get. */
  private static final int MOST_IN_FLIGHT = 32;

  private static final int MOST_KEYS_OF_ONE_REQUEST = 50;

  /** Of entries of one partition that are loaded together. */
  private static final int LOADED_TOGETHER = 32 << 10;

  private static final long PORTION = 1 << 20;

  /** Roughly what a write takes in a request in addition to key and value. */
  private static final int WRITE_OVERHEAD = 50;

  private final CqlSession session;
  private final Address address;
  private final Schema schema;
  private final CommitLog log;
  private final AtomicLong latest = new AtomicLong();

  private CassandraStore(CqlSession session, Address address, Schema schema, CommitLog log) {
    this.session = session;
    this.address = address;
    this.schema = schema;
    this.log = log;
  }

  /**
   * Opens a keyspace.
   *
   * @param clock this machine's, with which the nodes' clocks are compared
   */
  static CassandraStore open(StoreConfig config, Address address, InstantSource clock) {
    CqlSession session = address.connect();
    try {
      Schema schema = new Schema(session, address.keyspace());
      Row keyspace = schema.description();
      boolean logged = keyspace == null || keyspace.getBoolean("durable_writes");
      List<EachNode.Answer> answers = CommitLog.ask(session, clock);
      CommitLog log = CommitLog.of(answers, logged);
      log.demand(config.durability(), address);
      if (!config.readOnly()) {
        Clocks.demand(answers, config.options().duration("max_clock_difference"), address);
      }
      if (!config.readOnly() && !schema.hasStore()) {
        boolean made = keyspace == null;
        if (made) {
          schema.makeKeyspace(copies(session, config.options()));
        }
        makeTable(schema, Store.DEFAULT_TABLE, config.tableOptions(Store.DEFAULT_TABLE), made);
      }
      return new CassandraStore(session, address, schema, log);
    } catch (RuntimeException | Error e) {
      session.close();
      throw e;
    }
  }

  private static int copies(CqlSession session, Options options) {
    if (options.has("replication")) {
      return (int) options.integer("replication");
    }
    Map<String, Integer> nodes = new HashMap<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      nodes.merge(String.valueOf(node.getDatacenter()), 1, Integer::sum);
    }
    return nodes.values().stream().mapToInt(n -> Math.min(n, MOST_COPIES)).min().orElse(1);
  }

  private static TableMark makeTable(
      Schema schema, String name, Options options, boolean ofKeyspace) {
    int partitions = (int) options.integer("partitions");
    return schema.makeTable(new TableMark(name, partitions, ofKeyspace));
  }

  // ---- what it is

  @Override
  public Set<String> tables() {
    return schema.tables().keySet();
  }

  @Override
  public @Nullable CassandraTable openTable(String name, Options options, boolean create) {
    TableMark mark = schema.tables().get(name);
    if (mark == null) {
      if (!create) {
        return null;
      }
      mark = makeTable(schema, name, options, false);
    }
    return new CassandraTable(mark, schema.cql(mark));
  }

  @Override
  public void dropTable(CassandraTable table) {
    schema.dropTable(table.mark());
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return CassandraErrors.of(thrown);
  }

  // ---- entries

  /** A copy of a column. */
  static byte[] bytes(Row row, int column) {
    ByteBuffer buffer = row.getBytesUnsafe(column);
    if (buffer == null) {
      throw new IllegalStateException("a row without a value, which no store writes");
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  /** How long its columns are. */
  static int length(Row row) {
    int length = 0;
    for (int column = 0; column < row.size(); column++) {
      ByteBuffer buffer = row.getBytesUnsafe(column);
      length += buffer == null ? 0 : buffer.remaining();
    }
    return length;
  }

  CompletionStage<AsyncResultSet> send(Statement<?> statement) {
    return session.executeAsync(statement);
  }

  private BoundStatement bind(CassandraTable table, String statement, Object... values) {
    return table.prepared(session, statement).bind(values);
  }

  /**
   * In microseconds, higher than all that this store gave before. The driver's own has
   * milliseconds.
   */
  private long timestamp() {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    return latest.updateAndGet(before -> Math.max(before + 1, now));
  }

  private BoundStatement put(CassandraTable table, byte[] key, byte[] value, long timestamp) {
    table.saw(value.length);
    int partition = table.partition(key);
    ByteBuffer k = ByteBuffer.wrap(key);
    ByteBuffer v = ByteBuffer.wrap(value);
    return bind(table, table.put, partition, k, v, timestamp);
  }

  private @Nullable Row read(CassandraTable table, String statement, byte[] key) {
    return session
        .execute(bind(table, statement, table.partition(key), ByteBuffer.wrap(key)))
        .one();
  }

  @Override
  public byte @Nullable [] get(CassandraTable table, byte[] key) {
    Row row = read(table, table.get, key);
    return row == null ? null : bytes(row, 0);
  }

  @Override
  public boolean contains(CassandraTable table, byte[] key) {
    return read(table, table.find, key) != null;
  }

  /** One request for some keys of a partition, many requests at once. */
  @Override
  public byte[] @Nullable [] multiGet(CassandraTable table, byte[][] keys) {
    Map<Integer, List<ByteBuffer>> byPartition = new TreeMap<>();
    for (byte[] key : keys) {
      byPartition
          .computeIfAbsent(table.partition(key), _ -> new ArrayList<>())
          .add(ByteBuffer.wrap(key));
    }
    Map<ByteBuffer, Row> found = new HashMap<>();
    int atOnce = Math.min(table.rowsAtOnce(), MOST_KEYS_OF_ONE_REQUEST);
    try (InFlight<AsyncResultSet> requests =
        new InFlight<>(
            MOST_IN_FLIGHT,
            page -> {
              int longest = 0;
              for (Row row : page.currentPage()) {
                found.put(row.getByteBuffer(0), row);
                longest = Math.max(longest, length(row));
              }
              table.sawLongest(longest);
            })) {
      byPartition.forEach((partition, all) -> {
        for (int from = 0; from < all.size(); from += atOnce) {
          List<ByteBuffer> some = all.subList(from, Math.min(all.size(), from + atOnce));
          requests.add(
              send(bind(table, table.getMany, partition, some).setPageSize(some.size() + 1)));
        }
      });
      requests.finish();
    }
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      Row row = found.get(ByteBuffer.wrap(keys[i]));
      values[i] = row == null ? null : bytes(row, 1);
    }
    return values;
  }

  @Override
  public void put(CassandraTable table, byte[] key, byte[] value) {
    session.execute(put(table, key, value, timestamp()));
  }

  @Override
  public void delete(CassandraTable table, byte[] key) {
    ByteBuffer k = ByteBuffer.wrap(key);
    session.execute(bind(table, table.delete, timestamp(), table.partition(key), k));
  }

  /** The entries of a range in a partition. */
  BoundStatement scan(CassandraTable table, Range<byte[]> range, int partition) {
    List<Object> values = new ArrayList<>(List.of(partition));
    byte[] from = range.from();
    if (from != null) {
      values.add(ByteBuffer.wrap(from));
    }
    byte[] to = range.to();
    if (to != null) {
      values.add(ByteBuffer.wrap(to));
    }
    return bind(table, table.scan(range), values.toArray());
  }

  @Override
  public EngineCursor cursor(CassandraTable table, Range<byte[]> range) {
    return new CassandraCursor(this, table, range);
  }

  // ---- the whole

  /** Small batches within a partition, many at once; their timestamps keep the order. */
  @Override
  public void bulkLoad(
      CassandraTable table, Iterator<Entry<byte[], byte[]>> entries, boolean sorted) {
    try (InFlight<AsyncResultSet> requests = new InFlight<>(MOST_IN_FLIGHT, _ -> {})) {
      Portions.forEach(
          entries,
          PORTION,
          portion -> {
            Map<Integer, BatchStatementBuilder> batches = new HashMap<>();
            Map<Integer, Integer> sizes = new HashMap<>();
            for (Entry<byte[], byte[]> entry : portion) {
              int partition = table.partition(entry.key());
              batches
                  .computeIfAbsent(partition, _ -> BatchStatement.builder(BatchType.UNLOGGED))
                  .addStatement(put(table, entry.key(), entry.value(), timestamp()));
              int size = WRITE_OVERHEAD + entry.key().length + entry.value().length;
              if (sizes.merge(partition, size, Integer::sum) > LOADED_TOGETHER) {
                sizes.remove(partition);
                BatchStatementBuilder full = batches.remove(partition);
                if (full != null) {
                  requests.add(send(full.build()));
                }
              }
            }
            batches.values().forEach(rest -> requests.add(send(rest.build())));
          });
      requests.finish();
    }
  }

  @Override
  public boolean clear(CassandraTable table) {
    try (InFlight<AsyncResultSet> requests = new InFlight<>(MOST_IN_FLIGHT, _ -> {})) {
      for (int partition = 0; partition < table.partitions(); partition++) {
        requests.add(send(bind(table, table.deletePartition, timestamp(), partition)));
      }
      requests.finish();
    }
    return true;
  }

  @Override
  public void sync() {
    if (log.level() != Durability.POWER) {
      throw new UnsupportedException(
          "cassandra: sync() is not possible: the nodes of "
              + address
              + " have commitlog_sync "
              + log.sync()
              + "; with group or batch all that is acknowledged is synced");
    }
  }

  @Override
  public Map<String, String> stats() {
    Map<String, String> stats = new LinkedHashMap<>();
    Row keyspace = schema.description();
    if (keyspace != null) {
      stats.put("replication", String.valueOf(keyspace.getObject("replication")));
      stats.put("durable_writes", String.valueOf(keyspace.getBoolean("durable_writes")));
    }
    for (Node node : session.getMetadata().getNodes().values()) {
      String name = node.getEndPoint().toString();
      stats.put(
          "node " + name,
          node.getState() + ", " + node.getDatacenter() + ", " + node.getCassandraVersion());
    }
    log.sync().forEach((node, sync) -> stats.put("commitlog_sync " + node, sync));
    return stats;
  }

  @Override
  public void close() {
    session.close();
  }
}

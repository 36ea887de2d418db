package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.StoreConfig;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A keyspace of an Apache Cassandra cluster. */
public final class CassandraEngine implements Engine {
  /** For tables with several partitions. */
  static final Set<Capability> SPREAD =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EXPIRY,
          Capability.EMPTY_KEY);

  /** For tables of one partition each, all on the same replicas. */
  static final Set<Capability> WITH_BATCHES = EnumSet.copyOf(SPREAD);

  static {
    WITH_BATCHES.add(Capability.BATCH);
    WITH_BATCHES.add(Capability.RANGE_DELETE);
  }

  private static final int LONGEST_KEY = 0xffff;

  static final Limits LIMITS = new Limits(LONGEST_KEY, 4 << 20);

  /** Small enough for several of the longest to fit into a batch. */
  static final Limits LIMITS_WITH_BATCHES = new Limits(LONGEST_KEY, 512 << 10);

  /** For {@link java.util.ServiceLoader}. */
  public CassandraEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "cassandra",
        "Apache Cassandra",
        "4.19.3",
        "Apache-2.0",
        "A keyspace of a Cassandra cluster: data on several machines, which outlives the loss of one.",
        "The version is that of the client, the Apache Cassandra Java driver. Both are of the Apache"
            + " Software Foundation, with several releases a year (https://cassandra.apache.org).",
        false,
        WITH_BATCHES,
        LIMITS,
        durability(),
        CassandraOptions.ALL,
        List.of(
            "cassandra://user@host,host:port/keyspace is a keyspace of a running cluster; port 9042"
                + " by default. The hosts are asked for the other nodes.",
            "Passwords come from password_file or $CASSANDRA_PASSWORD, never from the URL, since URLs"
                + " are printed in reports.",
            "A missing keyspace is made; an existing one is used as it is, beside others' tables."
                + " Destroying the store drops its own tables, and the keyspace if it was made for"
                + " the store and holds nothing else.",
            "A table's entries are spread over partitions=16 partitions, by a hash of the key; that"
                + " is fixed when the table is made. A partition is stored as a whole on its"
                + " replicas: use several for each node, with no more than a few hundred MB in"
                + " each.",
            "A scan asks all partitions and merges them, so it begins with that many requests. Nothing"
                + " is a snapshot: what others write meanwhile may be seen or not.",
            "With partitions=1 for all tables of a store it has atomic batches, and deletes ranges in one"
                + " step: all is one partition then, on the same replicas, and values are up to 512 KiB."
                + " A batch is up to 15 MiB, or a 40th of the nodes' heap if that is less, and is seen as a"
                + " whole within each table.",
            "consistency=quorum is what makes a read see every write that was acknowledged,"
                + " regardless of who wrote it, in all datacenters; local_quorum asks one"
                + " datacenter only, and clients of another one see its writes later. Weaker ones"
                + " are not offered.",
            "Conditional writes hold against others only within this process, except on tables that"
                + " were made with conditional=true: there every write is a lightweight"
                + " transaction, with four trips between the nodes instead of one, and those of one"
                + " partition wait for one another, so use many partitions. Such a table has no"
                + " batches (partitions=1), and is loaded and cleared entry by entry.",
            "Do not write a store's tables from elsewhere: plain writes and lightweight transactions (IF)"
                + " do not see one another.",
            "Of two writes of one key the later timestamp wins, by the clocks of the machines that"
                + " write: they must be synchronised, or a write loses to an earlier one. An open"
                + " that may write asks the nodes for their time, and refuses those that are half a"
                + " second away.",
            "Levels of durability follow from durable_writes and from commitlog_sync, which each"
                + " node of the datacenter that is up is asked for at open. Cassandra's default"
                + " (periodic) gives none: it answers before it syncs, and up to 100 ms of writes"
                + " cannot be read again even after a mere kill.",
            "With ttl=1h a new table's entries vanish an hour after their last write, by the"
                + " cluster's own clocks; nobody has to sweep them. So do those of the library's"
                + " expiring tables, each when it is due, except conditional ones.",
            "A write that nobody answers (UnknownOutcomeException) may be there, now or later. Puts"
                + " and deletions may be done again; the driver itself does so if a node drops"
                + " out.",
            "Deletions leave tombstones until they are compacted, after gc_grace_seconds (ten days): a scan"
                + " over more than 100,000 of them in one answer fails.",
            "Make and drop tables from one client at a time, as with every Cassandra.",
            "Tried with Cassandra 5.0.9."));
  }

  private static Map<Durability, DurabilityMapping> durability() {
    DurabilityMapping none = DurabilityMapping.none("whatever the nodes have");
    return DurabilityMapping.levels(
        none,
        DurabilityMapping.power(
            "commitlog_sync group or batch on every node, durable_writes of the keyspace",
            Evidence.documented(
                "https://cassandra.apache.org/doc/5.0/cassandra/architecture/storage-engine.html")),
        none.byDefault());
  }

  private static Address address(StoreConfig config) {
    return Address.of(config.location(), config.options());
  }

  @Override
  public void check(StoreConfig config) {
    address(config);
    CassandraStore.partitions(config.options());
    CassandraStore.secondsToLive(config.options());
  }

  @Override
  public boolean exists(StoreConfig config) {
    Address address = address(config);
    try (CqlSession session = address.connect()) {
      return new Schema(session, address.keyspace()).hasStore();
    }
  }

  @Override
  public Set<Capability> capabilities(StoreConfig config) {
    return CassandraStore.partitions(config.options()) == 1 ? WITH_BATCHES : SPREAD;
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return CassandraStore.open(config, address(config), InstantSource.system());
  }

  @Override
  public void destroy(StoreConfig config) {
    Address address = address(config);
    try (CqlSession session = address.connect()) {
      new Schema(session, address.keyspace()).drop();
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return CassandraErrors.of(thrown);
  }
}

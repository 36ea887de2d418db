package io.kvstadium.engine.ignite;

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
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A zone of an Apache Ignite 3 cluster. */
public final class IgniteEngine implements Engine {
  static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.BULK_LOAD,
          Capability.SCAN,
          Capability.ORDERED_SCAN,
          Capability.TABLES,
          Capability.BATCH,
          Capability.RANGE_DELETE,
          Capability.OPTIMISTIC_TRANSACTION,
          Capability.SERIALIZABLE_SCANS,
          Capability.SNAPSHOT,
          Capability.BACKUP,
          Capability.READ_ONLY,
          Capability.CONCURRENT_READ_ONLY,
          Capability.EMPTY_KEY);

  private static final Limits LIMITS = new Limits(0xffff, 4 << 20);

  private static final Evidence DOCUMENTED =
      Evidence.documented(
          "https://ignite.apache.org/docs/ignite3/latest/administrators-guide/config/node-config");

  /** For {@link java.util.ServiceLoader}. */
  public IgniteEngine() {}

  @Override
  public EngineInfo info() {
    return new EngineInfo(
        "ignite",
        "Apache Ignite 3",
        "3.1.0",
        "Apache-2.0",
        "A zone of an Ignite cluster: data on several machines, with transactions over all of it.",
        "The version is that of the client. Ignite is a project of the Apache Software Foundation;"
            + " Ignite 3 is a rewrite and has one or two releases a year"
            + " (https://ignite.apache.org).",
        false,
        CAPABILITIES,
        LIMITS,
        durability(),
        IgniteOptions.ALL,
        List.of(
            "ignite://user@host:port,host:port/zone is a zone of a running Ignite 3 cluster; port"
                + " 10800 by default. Calls go to the first host that can be reached; the others"
                + " are for when that one does not answer or is lost.",
            "Passwords come from password_file or $IGNITE_PASSWORD, never from the URL, since URLs are"
                + " printed in reports.",
            "A missing zone is made; an existing one is used as it is. The tables are in a schema"
                + " of the same name, as kv.NAME, each with an index in either direction."
                + " Destroying the store drops them, and the schema and zone if they were made for"
                + " it and hold nothing else.",
            "A transaction reads as of its first read, holds no locks and keeps its writes to itself. Its commit"
                + " compares what it read and scanned with what is there by then, locks that, and writes; if"
                + " something has changed, the library runs it again. What was scanned is read twice more for that.",
            "Of two commits that want the same lock, the one that began later fails at once; the other waits, up to"
                + " the lock timeout and one second for the answer. If it gives up, Ignite 3.1 keeps its locks until"
                + " the one that it waited for has ended.",
            "A commit or a batch may take transaction_timeout=5m. Ignite 3.1 acknowledges a commit"
                + " that arrives after the nodes have rolled back on a timeout; such a commit is"
                + " refused here first.",
            "A table that was made after a transaction's first read is not known in it: that is a conflict, and the"
                + " next attempt knows it.",
            "A plain put or deletion waits for a commit's lock as long as the cluster's"
                + " transaction.readWriteTimeoutMillis says (30 s), then it is a conflict.",
            "putIfAbsent, replace, add and update are Ignite's own comparing writes: they hold against all clients.",
            "A get sees what was acknowledged to anybody. A scan, a count and a snapshot see what was"
                + " acknowledged to this client, and what others wrote up to the clock of the node that is"
                + " asked: on several nodes, the last write of another client may be missing if the nodes'"
                + " clocks differ.",
            "A scan's page is an SQL statement, which waits until the cluster's schema is known to"
                + " be current: up to system.idleSafeTimeSyncIntervalMillis, 250 by default. Set"
                + " that to about 10 in the cluster's configuration if you scan a lot.",
            "Levels of durability follow from raft.fsync and the storage profiles of all nodes,"
                + " which the nodes' REST is asked for at open (rest=host:port for each, if it is"
                + " not at port 10300 of the nodes' hosts). With raft.fsync=false, Ignite's"
                + " default, process is the strongest level. A node whose REST does not answer"
                + " gives none.",
            "A write that nobody answers (UnknownOutcomeException) may be there, now or later. Puts and deletions"
                + " may be done again.",
            "Snapshots and backups have the nodes keep what is overwritten and deleted, for up to 24 hours.",
            "Tried with Ignite 3.1.0, on Java 25."));
  }

  private static Map<Durability, DurabilityMapping> durability() {
    DurabilityMapping none = DurabilityMapping.none("whatever the nodes have");
    return DurabilityMapping.levels(
        none,
        DurabilityMapping.process("persistent storage on every node", DOCUMENTED),
        DurabilityMapping.power("raft.fsync=true and persistent storage on every node", DOCUMENTED),
        none.byDefault());
  }

  private static Address address(StoreConfig config) {
    return Address.of(config.location(), config.options());
  }

  @Override
  public void check(StoreConfig config) {
    address(config).rest();
  }

  @Override
  public boolean exists(StoreConfig config) {
    Address address = address(config);
    try (Connection connection = address.connect()) {
      return new Schema(connection, address.zone()).hasStore();
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) {
    return IgniteStore.open(config, address(config));
  }

  @Override
  public void destroy(StoreConfig config) {
    Address address = address(config);
    try (Connection connection = address.connect()) {
      new Schema(connection, address.zone()).drop();
    }
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return IgniteErrors.of(thrown);
  }
}

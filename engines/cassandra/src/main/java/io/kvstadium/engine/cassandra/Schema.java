package io.kvstadium.engine.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The keyspace and its tables, as the nodes know them.
 *
 * @param keyspace its name
 */
record Schema(CqlSession session, CqlIdentifier keyspace) {
  /** Changes take time, since all nodes must agree. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private static final SimpleStatement VERSION =
      SimpleStatement.newInstance("SELECT schema_version FROM system.local");

  /** The description of the keyspace, or {@code null} if it is not there. */
  @Nullable Row description() {
    return session
        .execute(
            SimpleStatement.newInstance(
                "SELECT durable_writes, replication FROM system_schema.keyspaces"
                    + " WHERE keyspace_name = ?",
                keyspace.asInternal()))
        .one();
  }

  /** The marks of all CQL tables by their names in CQL, {@code null} for others' tables. */
  private Map<String, @Nullable TableMark> all() {
    Map<String, @Nullable TableMark> marks = new LinkedHashMap<>();
    for (Row row :
        session.execute(
            SimpleStatement.newInstance(
                "SELECT table_name, comment FROM system_schema.tables WHERE keyspace_name = ?",
                keyspace.asInternal()))) {
      marks.put(String.valueOf(row.getString(0)), TableMark.of(row.getString(1)));
    }
    return marks;
  }

  /** The store's tables by their names. */
  Map<String, TableMark> tables() {
    Map<String, TableMark> tables = new TreeMap<>();
    for (TableMark mark : all().values()) {
      if (mark != null) {
        tables.put(mark.table(), mark);
      }
    }
    return tables;
  }

  boolean hasStore() {
    return tables().containsKey(Store.DEFAULT_TABLE);
  }

  /** Makes it with the given number of copies in each datacenter. */
  void makeKeyspace(int copies) {
    change(
        ("CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class':"
                + " 'NetworkTopologyStrategy', 'replication_factor': %s}")
            .formatted(keyspace.asCql(true), copies));
  }

  /** Makes a table unless it is there; returns its mark, which may then be a different one. */
  TableMark makeTable(TableMark mark) {
    change(
        ("CREATE TABLE IF NOT EXISTS %s (p int, k blob, v blob, PRIMARY KEY (p, k))"
                + " WITH comment = '%s'")
            .formatted(cql(mark), mark.comment()));
    TableMark made = tables().get(mark.table());
    if (made == null) {
      throw new BadArgumentException(
          "cassandra: there is a table "
              + cql(mark)
              + " that is not a store's: rename that, or use another keyspace");
    }
    return made;
  }

  void dropTable(TableMark mark) {
    change("DROP TABLE IF EXISTS " + cql(mark));
  }

  /**
   * Removes the store's tables, and the keyspace if it was made for them and holds nothing else.
   */
  void drop() {
    Map<String, @Nullable TableMark> all = all();
    TableMark main = tables().get(Store.DEFAULT_TABLE);
    if (main == null) {
      return;
    }
    if (main.ofKeyspace() && !all.containsValue(null)) {
      change("DROP KEYSPACE IF EXISTS " + keyspace.asCql(true));
      return;
    }
    for (TableMark mark : tables().values()) {
      if (!mark.equals(main)) {
        dropTable(mark);
      }
    }
    dropTable(main); // last, since it says that there is a store
  }

  /** A table's full name. */
  String cql(TableMark mark) {
    return keyspace.asCql(true) + "." + mark.cqlName();
  }

  private void change(String statement) {
    session.execute(
        SimpleStatement.newInstance(statement).setTimeout(PATIENCE).setIdempotent(false));
    long begin = System.nanoTime();
    while (versions().size() > 1) {
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new StoreIoException(
            "cassandra: the nodes do not agree about "
                + keyspace.asInternal()
                + " after a change of its tables: see `nodetool describecluster`, then try again");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /**
   * The versions of the tables, from each node that can be asked. What the driver takes for
   * agreement is what one node has heard about the others: too little just after the start of a
   * cluster.
   */
  private Set<UUID> versions() {
    Set<UUID> versions = new HashSet<>();
    for (EachNode.Answer answer :
        EachNode.ask(session, _ -> true, VERSION, InstantSource.system())) {
      Row row = answer.row();
      if (row != null) {
        versions.add(row.getUuid(0));
      }
    }
    return versions;
  }
}

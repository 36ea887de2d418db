package io.kvstadium.engine.ignite;

import io.kvstadium.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.ignite.lang.TableNotFoundException;
import org.apache.ignite.sql.SqlRow;
import org.apache.ignite.sql.async.AsyncResultSet;
import org.apache.ignite.table.KeyValueView;
import org.apache.ignite.table.QualifiedName;
import org.apache.ignite.table.Table;
import org.apache.ignite.table.mapper.Mapper;
import org.jspecify.annotations.Nullable;

/**
 * The zone and the store's tables, as the nodes know them. The tables are in a schema with the
 * zone's name. Each has the prefix {@code kv.}, which tells it from others' tables.
 *
 * @param zone its name
 */
record Schema(Connection connection, String zone) {
  private static final String PREFIX = "kv.";

  /** A schema without tables, which says that the zone was made for the store. */
  private static final String MADE = ".made";

  /** Longer than any key, since an index takes no longer ones. */
  private static final int KEY_BYTES = 1 << 16;

  private static final int VALUE_BYTES = 1 << 24;

  private List<SqlRow> query(String statement, Object... arguments) {
    List<SqlRow> rows = new ArrayList<>();
    AsyncResultSet<SqlRow> answer =
        Calls.read(connection.client().sql().executeAsync(null, statement, arguments));
    while (true) {
      answer.currentPage().forEach(rows::add);
      if (!answer.hasMorePages()) {
        return rows;
      }
      answer = Calls.read(answer.fetchNextPage());
    }
  }

  private void change(String statements) {
    Calls.read(connection.client().sql().executeScriptAsync(statements));
  }

  private static String quoted(String name) {
    return '"' + name + '"';
  }

  /** The description of the zone, or {@code null} if it is not there. */
  @Nullable SqlRow description() {
    List<SqlRow> found =
        query(
            "SELECT ZONE_PARTITIONS, ZONE_REPLICAS, ZONE_CONSISTENCY_MODE FROM SYSTEM.ZONES"
                + " WHERE ZONE_NAME = ?",
            zone);
    return found.isEmpty() ? null : found.getFirst();
  }

  /** The nodes' storage profiles that it uses. */
  Set<String> storageProfiles() {
    Set<String> names = new HashSet<>();
    for (SqlRow row :
        query(
            "SELECT STORAGE_PROFILE FROM SYSTEM.ZONE_STORAGE_PROFILES WHERE ZONE_NAME = ?", zone)) {
      names.add(row.stringValue(0));
    }
    return names;
  }

  /** Ignite's numbers of the store's tables, by the store's names. */
  Map<String, Integer> tables() {
    Map<String, Integer> tables = new TreeMap<>();
    for (SqlRow row :
        query("SELECT TABLE_NAME, TABLE_ID FROM SYSTEM.TABLES WHERE SCHEMA_NAME = ?", zone)) {
      String name = row.stringValue(0);
      if (name.startsWith(PREFIX)) {
        tables.put(name.substring(PREFIX.length()), row.intValue(1));
      }
    }
    return tables;
  }

  boolean hasStore() {
    return tables().containsKey(Store.DEFAULT_TABLE);
  }

  /**
   * Makes the zone.
   *
   * @param partitions how many, or {@code null} for as many as Ignite chooses
   */
  void makeZone(@Nullable Long partitions, long replicas, String storageProfile) {
    change(
        "CREATE SCHEMA IF NOT EXISTS "
            + quoted(zone + MADE)
            + "; CREATE ZONE IF NOT EXISTS "
            + quoted(zone)
            + " ("
            + (partitions == null ? "" : "PARTITIONS " + partitions + ", ")
            + "REPLICAS "
            + replicas
            + ") STORAGE PROFILES ['"
            + storageProfile
            + "']");
  }

  /** Makes a table unless it is there. */
  void makeTable(String name) {
    String table = sql(name);
    change(
        ("CREATE SCHEMA IF NOT EXISTS %s; CREATE TABLE IF NOT EXISTS %s (k VARBINARY(%d) NOT NULL,"
                + " v VARBINARY(%d) NOT NULL, PRIMARY KEY USING SORTED (k)) ZONE %s;"
                + " CREATE INDEX IF NOT EXISTS %s ON %s USING SORTED (k DESC)")
            .formatted(
                quoted(zone),
                table,
                KEY_BYTES,
                VALUE_BYTES,
                quoted(zone),
                quoted(PREFIX + name + ".desc"),
                table));
  }

  /** A table that is there, or {@code null}. */
  @Nullable IgniteTable table(String name) {
    Integer id = tables().get(name);
    return id == null
        ? null
        : new IgniteTable(name, id, sql(name), () -> connection.view(id, () -> view(name, id)));
  }

  private KeyValueView<byte[], byte[]> view(String name, int id) {
    QualifiedName full = QualifiedName.of(quoted(zone), quoted(PREFIX + name));
    Table table = Calls.<@Nullable Table>read(connection.client().tables().tableAsync(full));
    Integer now = tables().get(name);
    if (table == null || now == null || now != id) {
      throw new TableNotFoundException(full);
    }
    return table.keyValueView(Mapper.of(byte[].class, "K"), Mapper.of(byte[].class, "V"));
  }

  private String sql(String name) {
    return quoted(zone) + "." + quoted(PREFIX + name);
  }

  void dropTable(String name) {
    change("DROP TABLE IF EXISTS " + sql(name));
  }

  /** Removes the store's tables, and what was made for them if it holds nothing else. */
  void drop() {
    Set<String> tables = tables().keySet();
    if (!tables.contains(Store.DEFAULT_TABLE)) {
      return;
    }
    for (String name : tables) {
      if (!name.equals(Store.DEFAULT_TABLE)) {
        dropTable(name);
      }
    }
    dropTable(Store.DEFAULT_TABLE); // last, since it says that there is a store
    if (query("SELECT TABLE_ID FROM SYSTEM.TABLES WHERE SCHEMA_NAME = ?", zone).isEmpty()
        && !zone.equals(QualifiedName.DEFAULT_SCHEMA_NAME)) {
      change("DROP SCHEMA IF EXISTS " + quoted(zone));
    }
    boolean made =
        !query("SELECT SCHEMA_ID FROM SYSTEM.SCHEMAS WHERE SCHEMA_NAME = ?", zone + MADE).isEmpty();
    if (made && query("SELECT TABLE_ID FROM SYSTEM.TABLES WHERE ZONE_NAME = ?", zone).isEmpty()) {
      change(
          "DROP ZONE IF EXISTS " + quoted(zone) + "; DROP SCHEMA IF EXISTS " + quoted(zone + MADE));
    }
  }
}

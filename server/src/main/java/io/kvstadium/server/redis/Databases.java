package io.kvstadium.server.redis;

import io.kvstadium.server.round.Round;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The numbered databases of a store. Safe for all threads. */
final class Databases {
  static final int COUNT = 16;

  private final Store store;
  private final boolean raw;
  private final boolean readOnly;
  private final boolean several;
  private final Waiters waiters = new Waiters();
  private final AtomicReferenceArray<@Nullable Database> open = new AtomicReferenceArray<>(COUNT);

  Databases(Store store, boolean raw, boolean readOnly) {
    this.store = store;
    this.raw = raw;
    this.readOnly = readOnly;
    this.several = store.capabilities().contains(Capability.TABLES);
    for (String name : store.tables()) {
      int number = number(name);
      if (number >= 0) {
        get(number);
      }
    }
    get(0);
  }

  /** The number of the database in this table, or -1 if it is none. */
  int number(String table) {
    for (int i = 0; i < COUNT; i++) {
      if (name(i).equals(table)) {
        return several || i == 0 ? i : -1;
      }
    }
    return -1;
  }

  private String name(int number) {
    return number == 0 && (raw || !several) ? Store.DEFAULT_TABLE : "db" + number;
  }

  /** Who waits for keys. Belongs to whoever has the turn to write. */
  Waiters waiters() {
    return waiters;
  }

  boolean raw() {
    return raw;
  }

  /** Whether it is there to be used. */
  boolean has(int number) {
    return number >= 0 && number < (several ? COUNT : 1);
  }

  Database get(int number) {
    Database database = open.get(number);
    return database == null ? make(number) : database;
  }

  private synchronized Database make(int number) {
    Database database = open.get(number);
    if (database == null) {
      Table table = number == 0 && (raw || !several) ? store.table() : store.table(name(number));
      database = Database.of(number, store, table, raw, readOnly, waiters);
      open.set(number, database);
    }
    return database;
  }

  /** A database that has been used, or {@code null}: nothing is in it then. */
  @Nullable Database present(int number) {
    return open.get(number);
  }

  /** The databases as one round sees them. */
  static final class View {
    private final Databases databases;
    private final Round round;
    private final Map<Integer, Keyspace> keyspaces = new HashMap<>(2);

    View(Databases databases, Round round) {
      this.databases = databases;
      this.round = round;
    }

    Keyspace keyspace(int number) {
      return keyspaces.computeIfAbsent(number, _ -> new Keyspace(databases.get(number), round));
    }

    Round round() {
      return round;
    }

    /** Begins something that fails or succeeds as a whole. */
    void savepoint() {
      round.savepoint();
      keyspaces.values().forEach(Keyspace::savepoint);
    }

    void rollback() {
      round.rollback();
      keyspaces.values().forEach(Keyspace::rollback);
    }
  }
}

package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/**
 * The tables of a store, each with LMDB's handle on it. A writable store knows them all from its
 * open on. A read-only one looks again, because a writer in another process makes and drops tables;
 * its handles stay valid, since LMDB looks the name up again in each transaction.
 */
final class LmdbTables {
  private final Environment environment;

  /** Whether this must see tables that another process makes and drops. */
  private final boolean looksAgain;

  private final Map<String, String> unreadable;
  private final Map<String, LmdbTable> known = new ConcurrentHashMap<>();
  private final Set<String> noTables = new HashSet<>(); // under the lock

  /** Held for what changes LMDB's array of handles: only one may do that at a time. */
  private final ReentrantLock changing = new ReentrantLock();

  /** LMDB's table of tables; {@code null} in a writable store. */
  private final @Nullable Dbi<Slice> names;

  /** How many handles were opened, changed under the lock. */
  private final AtomicInteger opened = new AtomicInteger();

  /** The transaction whose tables are all known, under the lock; for a read-only store. */
  private long lookedAt = -1;

  /** Opens all existing tables: a snapshot could not use a handle opened after it began. */
  LmdbTables(Environment environment, boolean readOnly, boolean adopt) {
    this.environment = environment;
    this.looksAgain = readOnly && !adopt;
    Env<Slice> env = env();
    env.readerCheck(); // forget readers of processes that were killed
    if (adopt) { // tables that are made later are not seen
      Adoption found = Adoption.of(env);
      known.putAll(found.tables());
      this.unreadable = found.unreadable();
      this.names = null;
      return;
    }
    this.unreadable = Map.of();
    this.names = readOnly ? env.openDbi((byte[]) null) : null;
    for (byte[] name : namesOfOurs(env)) {
      LmdbTable table = open(text(name));
      if (table != null) {
        refuseFlags(table);
      }
    }
  }

  /** Returns all table names. Other entries would silently be left out of copies. */
  private List<byte[]> namesOfOurs(Env<Slice> env) {
    List<byte[]> found = new ArrayList<>();
    Dbi<Slice> unnamed = env.openDbi((byte[]) null);
    try (Txn<Slice> txn = env.txnRead();
        Cursor<Slice> cursor = unnamed.openCursor(txn)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        if (!Nodes.isDatabase(cursor)) {
          throw foreign("the unnamed database has entries");
        }
        found.add(cursor.key().toArray());
      }
    }
    return found;
  }

  private void refuseFlags(LmdbTable table) {
    try (Txn<Slice> txn = env().txnRead()) {
      List<DbiFlags> flags = table.dbi().listFlags(txn);
      if (!flags.isEmpty()) {
        throw foreign("database " + table.name() + " was made with " + flags);
      }
    }
  }

  private BadArgumentException foreign(String what) {
    return new BadArgumentException(
        "%s: %s, so another program wrote it: add adopt=true to open it as it is"
            .formatted(environment.place(), what));
  }

  /** Returns the names of the tables that there are now. */
  Set<String> names() {
    if (!looksAgain) {
      return Set.copyOf(known.keySet());
    }
    try (Reader reader = environment.begin()) {
      Set<String> names = namesIn(reader.txn());
      names.removeIf(name -> find(name) == null); // not ours
      return names;
    }
  }

  /** Returns what another program has here that cannot be tables, and why. */
  Map<String, String> unreadable() {
    return unreadable;
  }

  /** Returns the tables with a handle; in a read-only store, some may have been dropped since. */
  Iterable<LmdbTable> known() {
    return known.values();
  }

  /** Returns the table of this name, or {@code null} if there is none. */
  @Nullable LmdbTable get(String name) {
    return looksAgain && !names().contains(name) ? null : known.get(name);
  }

  /** Returns the table of this name; makes it if there is none. */
  LmdbTable make(String name) {
    LmdbTable present = known.get(name);
    if (present != null) {
      return present;
    }
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    LmdbTable made =
        environment.write(txn ->
            new LmdbTable(
                name,
                env().openDbi(txn, bytes, null, false, DbiFlags.MDB_CREATE),
                txn.getId(),
                false));
    known.put(name, made);
    return made;
  }

  /** Removes an empty table. */
  void drop(LmdbTable table) {
    environment.writeWithRoom(txn -> {
      changing.lock();
      try {
        known.remove(table.name());
        table.dbi().drop(txn, true);
      } finally {
        changing.unlock();
      }
      return true;
    });
  }

  /** Runs an action during which no handle may be given up. */
  <R> R whileNoneIsDropped(Supplier<R> action) {
    changing.lock();
    try {
      return action.get();
    } finally {
      changing.unlock();
    }
  }

  /**
   * Returns a reader of the present state that knows all tables of that state, since it may be kept
   * for a while and cannot learn of others later. All handles were opened before it began, and
   * tables that are opened later are not part of its state.
   */
  Reader begin() {
    while (true) {
      int before = opened.get();
      Reader reader = environment.begin();
      try {
        if (!looksAgain || (knowsAll(reader.txn()) && opened.get() == before)) {
          return reader;
        }
      } catch (RuntimeException e) {
        reader.close();
        throw e;
      }
      reader.close();
    }
  }

  /** Opens the missing tables; returns false if there were any. */
  private boolean knowsAll(Txn<Slice> txn) {
    changing.lock();
    try {
      boolean all = true;
      if (lookedAt != txn.getId()) {
        for (String name : namesIn(txn)) {
          all &= known.containsKey(name) || open(name) == null;
        }
        lookedAt = txn.getId();
      }
      return all;
    } finally {
      changing.unlock();
    }
  }

  /** Returns how many entries the table has, as the reader sees it. */
  long count(Reader reader, LmdbTable table) {
    if (looksAgain && !isThere(reader, table)) {
      return 0; // LMDB would return the figures of a dropped table
    }
    return table.dbi().stat(reader.txn()).entries - Math.max(0, table.databases());
  }

  /** Whether the reader sees the table. */
  boolean isThere(Reader reader, LmdbTable table) {
    return table.since() <= reader.txn().getId()
        && (!looksAgain || namesIn(reader.txn()).contains(table.name()));
  }

  /** Returns the table, opened now if needed; {@code null} if it is not one of ours. */
  private @Nullable LmdbTable find(String name) {
    LmdbTable present = known.get(name);
    return present != null ? present : open(name);
  }

  /** Opens a table; returns {@code null} if it does not exist or is not one of ours. */
  private @Nullable LmdbTable open(String name) {
    changing.lock();
    try {
      LmdbTable present = known.get(name);
      if (present != null || noTables.contains(name)) {
        return present;
      }
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      LmdbTable found =
          looksAgain ? openSince(name, bytes) : new LmdbTable(name, env().openDbi(bytes), 0, false);
      opened.incrementAndGet();
      known.put(name, found);
      return found;
    } catch (Dbi.IncompatibleException e) {
      noTables.add(name); // an entry of another program's unnamed database
      return null;
    } catch (Dbi.KeyNotFoundException e) {
      return null; // dropped since its name was read
    } finally {
      changing.unlock();
    }
  }

  /** Notes the transaction, because readers that began earlier do not know the handle. */
  private LmdbTable openSince(String name, byte[] bytes) {
    try (Txn<Slice> txn = env().txnRead()) {
      LmdbTable table =
          new LmdbTable(name, env().openDbi(txn, bytes, null, false), txn.getId(), true);
      txn.commit(); // or the handle ends with it
      return table;
    }
  }

  private Env<Slice> env() {
    return environment.env();
  }

  private Set<String> namesIn(Txn<Slice> txn) {
    Set<String> found = new HashSet<>();
    if (names != null) {
      try (Cursor<Slice> cursor = names.openCursor(txn)) {
        for (boolean more = cursor.first(); more; more = cursor.next()) {
          found.add(text(cursor.key().toArray()));
        }
      }
    }
    return found;
  }

  private static String text(byte[] name) {
    return new String(name, StandardCharsets.UTF_8);
  }
}

package io.kvstadium.engine.lmdb;

import io.kvstadium.store.BadArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/**
 * The tables of a store, each with LMDB's handle on it, all opened with the store. If a writer in
 * another process drops one, LMDB refuses reads of it.
 */
final class LmdbTables {
  private final Environment environment;

  private final Map<String, String> unreadable;
  private final Map<String, LmdbTable> known = new ConcurrentHashMap<>();

  /** Held for what changes LMDB's array of handles: only one may do that at a time. */
  private final ReentrantLock changing = new ReentrantLock();

  /** Opens all existing tables: a snapshot could not use a handle opened after it began. */
  LmdbTables(Environment environment, boolean adopt) {
    this.environment = environment;
    Env<Slice> env = env();
    env.readerCheck(); // forget readers of processes that were killed
    if (adopt) { // tables that are made later are not seen
      Adoption found = Adoption.of(env);
      known.putAll(found.tables());
      this.unreadable = found.unreadable();
      return;
    }
    this.unreadable = Map.of();
    for (byte[] name : namesOfOurs(env)) {
      try {
        LmdbTable table = new LmdbTable(text(name), env.openDbi(name), 0);
        refuseFlags(table);
        known.put(table.name(), table);
      } catch (Dbi.KeyNotFoundException _) {
        // dropped since its name was read
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

  /** Returns the names of all tables. */
  Set<String> names() {
    return Set.copyOf(known.keySet());
  }

  /** Returns what another program has here that cannot be tables, and why. */
  Map<String, String> unreadable() {
    return unreadable;
  }

  /** Returns all tables. */
  Iterable<LmdbTable> known() {
    return known.values();
  }

  /** Returns the table of this name, or {@code null} if there is none. */
  @Nullable LmdbTable get(String name) {
    return known.get(name);
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
                name, env().openDbi(txn, bytes, null, false, DbiFlags.MDB_CREATE), txn.getId()));
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

  private Env<Slice> env() {
    return environment.env();
  }

  private static String text(byte[] name) {
    return new String(name, StandardCharsets.UTF_8);
  }
}

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
 * The tables of a store, each with LMDB's handle on it. A store that may write knows them all from
 * its open on. One that only reads looks again, because a writer in another process makes and drops
 * them; its handles stay, for LMDB looks the name up anew in each transaction.
 */
final class LmdbTables {
  private final Environment environment;

  /** Whether another process makes and drops tables that this is to see. */
  private final boolean looksAgain;

  private final Map<String, String> unreadable;
  private final Map<String, LmdbTable> known = new ConcurrentHashMap<>();
  private final Set<String> noTables = new HashSet<>(); // under the lock

  /** Held for what changes LMDB's array of handles: only one may do that at a time. */
  private final ReentrantLock changing = new ReentrantLock();

  /** LMDB's table of tables; {@code null} in a store that may write. */
  private final @Nullable Dbi<Slice> names;

  /** How many handles were opened, changed under the lock. */
  private final AtomicInteger opened = new AtomicInteger();

  /** The transaction whose tables are all known, under the lock; of a store that only reads. */
  private long lookedAt = -1;

  /** Opens those that there are: a snapshot could not use a handle opened after it began. */
  LmdbTables(Environment environment, boolean readOnly, boolean adopt) {
    this.environment = environment;
    this.looksAgain = readOnly && !adopt;
    Env<Slice> env = env();
    env.readerCheck(); // forget readers of processes that were killed
    if (adopt) { // and what comes later is not ours to see
      Adoption found = Adoption.of(env, readOnly);
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

  /** The names of all tables. What is no table would be left out of copies without a word. */
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
        environment.place()
            + ": "
            + what
            + ", so another program wrote it: add adopt=true to open it as it is");
  }

  /** The names of those that there are now. */
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

  /** What another program has here that cannot be tables, and why. */
  Map<String, String> unreadable() {
    return unreadable;
  }

  /** Those with a handle; in a store that only reads, some may have been dropped since. */
  Iterable<LmdbTable> known() {
    return known.values();
  }

  /** The table of this name, or {@code null} if there is none. */
  @Nullable LmdbTable get(String name) {
    return looksAgain && !names().contains(name) ? null : known.get(name);
  }

  /** The table of this name, made if there is none. */
  LmdbTable make(String name) {
    LmdbTable present = known.get(name);
    if (present != null) {
      return present;
    }
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    LmdbTable made =
        environment.write(
            bytes.length,
            txn ->
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

  /** Runs what must not meet a handle that is given up meanwhile. */
  <R> R whileNoneIsDropped(Supplier<R> action) {
    changing.lock();
    try {
      return action.get();
    } finally {
      changing.unlock();
    }
  }

  /**
   * A reader of the present state that knows each of its tables: to be kept for a while, during
   * which it could not be taught any. All handles were opened before it began, and what is opened
   * later is a table that it does not have.
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

  /** Opens what is missing; false if anything was. */
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

  /** How many entries it has, as the reader sees it. */
  long count(Reader reader, LmdbTable table) {
    if (looksAgain && !isThere(reader, table)) {
      return 0; // LMDB would give the figures of a table that was dropped
    }
    return table.dbi().stat(reader.txn()).entries - Math.max(0, table.databases());
  }

  /** Whether the reader sees it. */
  boolean isThere(Reader reader, LmdbTable table) {
    return table.since() <= reader.txn().getId()
        && (!looksAgain || namesIn(reader.txn()).contains(table.name()));
  }

  /** The one with a handle, opened now if need be; {@code null} if it is no table of ours. */
  private @Nullable LmdbTable find(String name) {
    LmdbTable present = known.get(name);
    return present != null ? present : open(name);
  }

  /** Opens what is there; {@code null} if it is not, or no table of ours. */
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

  /** So that readers are told apart that began before: they do not know the handle. */
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

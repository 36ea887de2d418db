package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Store;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/**
 * What another program has in an environment at the time of the look: its named databases, and the
 * unnamed one if it has entries that are not databases.
 */
final class Adoption {
  private static final Set<DbiFlags> SEVERAL_VALUES =
      EnumSet.of(
          DbiFlags.MDB_DUPSORT,
          DbiFlags.MDB_DUPFIXED,
          DbiFlags.MDB_INTEGERDUP,
          DbiFlags.MDB_REVERSEDUP);

  private final Env<Slice> env;
  private final Map<String, LmdbTable> tables = new HashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();

  private Adoption(Env<Slice> env) {
    this.env = env;
  }

  /** Looks through the unnamed database once, since it has the names. */
  static Adoption of(Env<Slice> env) {
    Adoption adoption = new Adoption(env);
    adoption.look();
    return adoption;
  }

  Map<String, LmdbTable> tables() {
    return tables;
  }

  Map<String, String> unreadable() {
    return unreadable;
  }

  private void look() {
    Dbi<Slice> unnamed = env.openDbi((byte[]) null);
    List<byte[]> names = new ArrayList<>();
    long entries = 0;
    try (Txn<Slice> txn = env.txnRead()) {
      List<DbiFlags> flags = unnamed.listFlags(txn);
      if (flags.contains(DbiFlags.MDB_DUPSORT) || flags.contains(DbiFlags.MDB_INTEGERKEY)) {
        entries = unnamed.stat(txn).entries; // LMDB allows no named databases beside it
      } else {
        try (Cursor<Slice> cursor = unnamed.openCursor(txn)) {
          for (boolean more = cursor.first(); more; more = cursor.next()) {
            if (Nodes.isDatabase(cursor)) {
              names.add(cursor.key().toArray());
            } else {
              entries++;
            }
          }
        }
      }
    }
    for (byte[] name : names) {
      add(text(name), env.openDbi(name), -1);
    }
    if (entries > 0 || names.isEmpty()) {
      addUnnamed(unnamed, names.size());
    }
  }

  private void addUnnamed(Dbi<Slice> unnamed, int databases) {
    if (tables.containsKey(Store.DEFAULT_TABLE) || unreadable.containsKey(Store.DEFAULT_TABLE)) {
      unreadable.put(
          "(unnamed)",
          "the unnamed database has entries, and would be table default, but a named one has that"
              + " name");
    } else {
      add(Store.DEFAULT_TABLE, unnamed, databases);
    }
  }

  /**
   * Takes a database as it is.
   *
   * @param databases how many entries of the unnamed one are databases; -1 for a named one
   */
  private void add(String name, Dbi<Slice> dbi, int databases) {
    try (Txn<Slice> txn = env.txnRead()) {
      List<DbiFlags> flags = dbi.listFlags(txn);
      if (flags.stream().anyMatch(SEVERAL_VALUES::contains)) {
        unreadable.put(name, "it holds several values for a key (MDB_DUPSORT)");
        return;
      }
      int keyBytes = flags.contains(DbiFlags.MDB_INTEGERKEY) ? keyBytes(dbi, txn) : 0;
      tables.put(name, new LmdbTable(name, dbi, 0, false, databases, keyBytes, order(flags)));
    }
  }

  /** Keys that LMDB compares as numbers must have a number's length, the same for all. */
  private static int keyBytes(Dbi<Slice> dbi, Txn<Slice> txn) {
    try (Cursor<Slice> cursor = dbi.openCursor(txn)) {
      return cursor.first() ? (int) cursor.key().length : Integer.BYTES;
    }
  }

  private static @Nullable String order(List<DbiFlags> flags) {
    return flags.contains(DbiFlags.MDB_INTEGERKEY)
        ? "that of numbers in this machine's byte order (MDB_INTEGERKEY)"
        : flags.contains(DbiFlags.MDB_REVERSEKEY)
            ? "that of their bytes read backwards (MDB_REVERSEKEY)"
            : null;
  }

  /** Returns the name as text, or in hex if it is not text. */
  private static String text(byte[] name) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
    } catch (CharacterCodingException e) {
      return "0x" + HexFormat.of().formatHex(name);
    }
  }
}

package io.kvstadium.engine.lmdb;

import io.kvstadium.store.Store;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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
  /** Why a database with such flags is not read; it has others only together with one of these. */
  private static final Map<DbiFlags, String> REFUSED =
      Map.of(
          DbiFlags.MDB_DUPSORT, "it holds several values for a key (MDB_DUPSORT)",
          DbiFlags.MDB_INTEGERKEY, "its keys are ordered as numbers (MDB_INTEGERKEY)",
          DbiFlags.MDB_REVERSEKEY,
              "its keys are ordered by their bytes read backwards (MDB_REVERSEKEY)");

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
      add(text(name), env.openDbi(name));
    }
    if (names.isEmpty()) {
      add(Store.DEFAULT_TABLE, unnamed);
    } else if (entries > 0) {
      unreadable.put("(unnamed)", "the unnamed database has entries beside its named databases");
    }
  }

  /** Takes a database as it is. */
  private void add(String name, Dbi<Slice> dbi) {
    try (Txn<Slice> txn = env.txnRead()) {
      for (DbiFlags flag : dbi.listFlags(txn)) {
        String why = REFUSED.get(flag);
        if (why != null) {
          unreadable.put(name, why);
          return;
        }
      }
      tables.put(name, new LmdbTable(name, dbi, 0));
    }
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

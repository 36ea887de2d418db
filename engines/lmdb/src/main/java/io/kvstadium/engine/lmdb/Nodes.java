package io.kvstadium.engine.lmdb;

import java.lang.foreign.ValueLayout;
import org.lmdbjava.Cursor;

/**
 * What LMDB's interface does not reveal about an entry of the unnamed database: whether it is the
 * record of a named one. It is in the node's header, in the 8 bytes before the key: two halves of
 * the value's length, flags, and the key's length, of 2 bytes each ({@code MDB_node} in {@code
 * mdb.c}, part of the file's format).
 */
final class Nodes {
  /** The length of such a record: {@code MDB_db}. */
  private static final long RECORD = 48;

  private static final int SUBDATA = 2;
  private static final int FLAGS_BEFORE_KEY = 4;
  private static final int LENGTH_BEFORE_KEY = 2;

  private Nodes() {}

  /** Whether the entry that the cursor is at is the record of a named database. */
  static boolean isDatabase(Cursor<Slice> cursor) {
    if (cursor.val().length != RECORD) {
      return false;
    }
    Slice key = cursor.key();
    if (key.length != number(key.address - LENGTH_BEFORE_KEY)) {
      throw new IllegalStateException("this LMDB's node layout differs from that of 0.9");
    }
    return (number(key.address - FLAGS_BEFORE_KEY) & SUBDATA) != 0;
  }

  private static int number(long address) {
    return Short.toUnsignedInt(Slice.MEMORY.get(ValueLayout.JAVA_SHORT_UNALIGNED, address));
  }
}

package io.kvstadium.server.execute;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A cache of what keys hold: the first bytes of the values that were read or written last. It saves
 * the read when a key is overwritten and only its kind must be known.
 *
 * <p>Only for tables that {@link #number} was called for. Belongs to the thread that has the turn
 * to write, which reports everything that is committed; when it is not known what was committed,
 * everything is forgotten.
 */
public final class KnownKeys {
  /** Nothing is known of a key. */
  static final int UNKNOWN = -1;

  /** A table whose keys are not kept. */
  static final int NO_TABLE = -1;

  /** Longer keys are not kept, which bounds the memory. */
  private static final int LONGEST = 64;

  private static final int MAX_TABLES = 127;

  private static final long FREE = -1; // the number of no table
  private static final byte[] NONE = {};

  /** A key is in one of this many neighbouring places. */
  private static final int WAYS = 4;

  private static final int FEWEST = 1 << 10;
  private static final int MAX = 1 << 20;

  /** The memory of a key of 64 bytes, with its place. */
  private static final int BYTES = 96;

  private final int max;
  private final Map<String, Integer> tables = new HashMap<>();
  private byte[][] keys = new byte[0][];

  /** For each key its hash, the table's number and the first byte; packed, for the CPU cache. */
  private long[] marks = new long[0];

  private int used;
  private int turn;

  /**
   * Starts empty.
   *
   * @param bytes the most memory
   */
  KnownKeys(long bytes) {
    this.max = Math.clamp(Long.highestOneBit(Math.max(1, bytes / BYTES)), FEWEST, MAX);
  }

  /** The number of a table, whose keys are kept from now on; {@link #NO_TABLE} if too many are. */
  int number(String table) {
    Integer known = tables.get(table);
    if (known != null) {
      return known;
    }
    if (tables.size() == MAX_TABLES) {
      return NO_TABLE;
    }
    int number = tables.size();
    tables.put(table, number);
    return number;
  }

  /** The number of a table, or {@link #NO_TABLE} if its keys are not kept. */
  int find(String table) {
    Integer known = tables.get(table);
    return known == null ? NO_TABLE : known;
  }

  /**
   * The first byte of a key's value, or {@link #UNKNOWN}.
   *
   * @param hash of the key, always by the same function
   */
  int first(int table, byte[] key, int hash) {
    int place = place(table, key, hash);
    return place < 0 ? UNKNOWN : (int) (marks[place] & 0xff);
  }

  /** A key exists, and its value begins with this byte. The array must not be changed. */
  void keep(int table, byte[] key, int hash, byte first) {
    if (key.length > LONGEST) {
      return;
    }
    if (used * 2 >= keys.length && keys.length < max) {
      grow();
    }
    int place = place(table, key, hash);
    if (place < 0) {
      place = free(bucket(mark(table, hash)));
      keys[place] = key;
    }
    marks[place] = mark(table, hash) | (first & 0xff);
  }

  /** Forgets a key. */
  void forget(int table, byte[] key, int hash) {
    int place = place(table, key, hash);
    if (place >= 0) {
      marks[place] = FREE;
      keys[place] = NONE;
      used--;
    }
  }

  /** Forgets all keys. */
  void clear() {
    if (used > 0) {
      Arrays.fill(marks, FREE);
      Arrays.fill(keys, NONE);
      used = 0;
    }
  }

  /** A mark without the first byte. */
  private static long mark(int table, int hash) {
    return ((long) hash << 32) | ((long) table << 8);
  }

  private int bucket(long mark) {
    int mixed = (int) ((mark >>> 32) ^ (mark >>> 8)) * 0x9E3779B9;
    return (mixed >>> (32 - Integer.numberOfTrailingZeros(keys.length))) & -WAYS;
  }

  private int place(int table, byte[] key, int hash) {
    if (used == 0) {
      return -1;
    }
    long mark = mark(table, hash);
    int first = bucket(mark);
    for (int i = first; i < first + WAYS; i++) {
      if ((marks[i] & ~0xffL) == mark && Arrays.equals(keys[i], key)) {
        return i;
      }
    }
    return -1;
  }

  /** A free place of a bucket; if there is none, an occupied one, in turn. */
  private int free(int bucket) {
    for (int i = bucket; i < bucket + WAYS; i++) {
      if (marks[i] == FREE) {
        used++;
        return i;
      }
    }
    turn++;
    return bucket + (turn & (WAYS - 1));
  }

  private void grow() {
    byte[][] oldKeys = keys;
    long[] oldMarks = marks;
    int size = Math.max(FEWEST, 2 * oldKeys.length);
    keys = new byte[size][];
    marks = new long[size];
    Arrays.fill(keys, NONE);
    Arrays.fill(marks, FREE);
    used = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldMarks[i] != FREE) {
        int place = free(bucket(oldMarks[i] & ~0xffL));
        keys[place] = oldKeys[i];
        marks[place] = oldMarks[i];
      }
    }
  }
}

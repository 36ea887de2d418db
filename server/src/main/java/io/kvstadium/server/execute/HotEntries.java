package io.kvstadium.server.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A cache of entries that were read or written lately, in front of the engine; of a large value it
 * knows only the first byte, and of some keys that they are absent. It is bounded in bytes.
 *
 * <p>What it holds is never older than what was acknowledged. All writes are made by one thread at
 * a time: before it commits, it {@linkplain #beginWrite takes out} what it writes, and puts the new
 * entries in {@linkplain #endWrite once they are in the store}. A reader that finds nothing here
 * remembers the {@linkplain #stamp stamp} of the key, reads the store, and may {@linkplain #fill
 * put in} what it found unless the stamp has changed. Reads of a snapshot must not use it.
 *
 * <p>Safe for all threads; the methods for writers belong to the one that has the turn to write.
 */
public final class HotEntries {
  /** The number of a table whose entries are not kept. */
  static final int NO_TABLE = -1;

  /** Nothing is known of a key. */
  static final int UNKNOWN = -3;

  /** A value is there, and too large to be kept. */
  static final int LARGE = -2;

  /** {@link #read} found that there is no value. */
  @SuppressWarnings("MutableConstantField") // empty
  static final byte[] NO_VALUE = {};

  /** Larger values are not kept. */
  static final int MAX_VALUE = 4 << 10;

  /** Longer keys are not kept. */
  static final int MAX_KEY = 256;

  /**
   * Each of these parts has a lock for those who change it, a stamp, and its share of the bytes.
   */
  private static final int PARTS = 256;

  private static final int MAX_TABLES = 1 << 12;

  private final HotPart[] parts = new HotPart[PARTS];
  private final Map<String, Integer> tables = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private int lastTable = NO_TABLE;

  /** Takes part in what {@link #touch} reads, so that it is read. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  /** Parts of which entries are being written; of the writer. */
  private final List<HotPart> writing = new ArrayList<>();

  /**
   * Starts empty.
   *
   * @param bytes the most memory that entries take
   */
  HotEntries(long bytes) {
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new HotPart((int) Math.min(bytes / PARTS, 1 << 24));
    }
  }

  /** The number of a table; {@link #NO_TABLE} if there are too many. */
  int table(String name) {
    Integer known = tables.get(name);
    return known == null ? newTable(name) : known;
  }

  private synchronized int newTable(String name) {
    if (tables.size() >= MAX_TABLES) {
      return NO_TABLE;
    }
    return tables.computeIfAbsent(name, _ -> ++lastTable);
  }

  /** A table is being removed: one that is made later under its name has nothing here. */
  synchronized void forget(String table) {
    tables.remove(table);
  }

  private HotPart part(int tag) {
    return parts[tag & (PARTS - 1)];
  }

  /** Never 0, which is the tag of a free place. */
  private static int tag(int table, int hash) {
    int mixed = (hash + table * 0x632BE5AB) * 0x9E3779B9;
    mixed ^= mixed >>> 15;
    return mixed == 0 ? 1 : mixed;
  }

  /**
   * The value of a key, {@link #NO_VALUE} if it is known to have none, or {@code null} if nothing
   * is known. The array is the caller's.
   *
   * @param hash of the key, always by the same function
   */
  byte @Nullable [] read(int table, byte[] key, int hash) {
    int tag = tag(table, hash);
    return part(tag).read(tag, table, key);
  }

  /** What {@link #read} found, as a value that may be absent. */
  @SuppressWarnings("ReferenceEquality") // an empty value is another one
  static byte @Nullable [] valueOf(byte[] found) {
    return found == NO_VALUE ? null : found;
  }

  /**
   * The length of a key's value, {@link WriteSet#ABSENT} if it has none, {@link #LARGE}, or {@link
   * #UNKNOWN}.
   */
  int length(int table, byte[] key, int hash) {
    int tag = tag(table, hash);
    return part(tag).length(tag, table, key);
  }

  /**
   * The first byte of a key's value, 0 for an empty one, {@link WriteSet#ABSENT} if it has none, or
   * {@link #UNKNOWN}.
   */
  int first(int table, byte[] key, int hash) {
    int tag = tag(table, hash);
    return part(tag).first(tag, table, key);
  }

  /**
   * Brings what is known of many keys near the processor: it waits for memory once for all of them
   * instead of for each in turn. Twice: for the places of the entries, and for the entries.
   */
  void touch(int table, int[] hashes, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      int tag = tag(table, hashes[i]);
      sum += part(tag).touchPlaces(tag);
    }
    for (int i = 0; i < count; i++) {
      int tag = tag(table, hashes[i]);
      sum += part(tag).touchEntry(tag);
    }
    touched = sum;
  }

  /** A mark of the present moment, to be taken before the store is read. */
  int stamp(int table, int hash) {
    return part(tag(table, hash)).stamp();
  }

  /** Whether nothing was being written when a stamp was taken. */
  static boolean isSettled(int stamp) {
    return (stamp & 1) == 0;
  }

  /**
   * A key was read in the store.
   *
   * @param value {@code null} if it is absent
   * @param stamp from before that
   */
  void fill(int table, byte[] key, int hash, byte @Nullable [] value, int stamp) {
    if (key.length <= MAX_KEY) {
      int tag = tag(table, hash);
      part(tag).fill(tag, table, key, value, stamp);
    }
  }

  /** How often reads found their entry here, or did not. */
  void count(long found, long missing) {
    hits.add(found);
    misses.add(missing);
  }

  /** How often reads found their entry here since the start. */
  public long hits() {
    return hits.sum();
  }

  /** How often they did not. */
  public long misses() {
    return misses.sum();
  }

  /** The memory that it takes. */
  public long bytes() {
    long bytes = 0;
    for (HotPart part : parts) {
      bytes += part.bytes();
    }
    return bytes;
  }

  // ---- of the writer ----

  /** A key is about to be written; {@link #endWrite} or {@link #abandon} must follow. */
  void beginWrite(int table, byte[] key, int hash) {
    int tag = tag(table, hash);
    HotPart part = part(tag);
    if (part.beginWrite(tag, table, key)) {
      writing.add(part);
    }
  }

  /** Everything is about to be removed. */
  void beginClear() {
    for (HotPart part : parts) {
      if (part.beginClear()) {
        writing.add(part);
      }
    }
  }

  /** What the writer wrote, or read in the store or its own writes, is what a key holds. */
  void put(int table, byte[] key, int hash, byte @Nullable [] value) {
    if (key.length <= MAX_KEY) {
      int tag = tag(table, hash);
      part(tag).put(tag, table, key, value);
    }
  }

  /** What was begun is in the store. */
  void endWrite() {
    writing.forEach(HotPart::endWrite);
    writing.clear();
  }

  /** It is not known what is in the store. */
  void abandon() {
    beginClear();
    endWrite();
  }
}

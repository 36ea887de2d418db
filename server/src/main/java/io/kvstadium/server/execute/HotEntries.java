package io.kvstadium.server.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
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

  /** Larger values are not kept. */
  static final int MAX_VALUE = 4 << 10;

  /** Longer keys are not kept. */
  static final int MAX_KEY = 256;

  /** Each of these parts has a lock for those who change it, a stamp, and its part of the bytes. */
  private static final int PARTS = 256;

  /** An entry is in one of this many neighbouring places. */
  private static final int WAYS = 4;

  /** Places of a part, at the beginning and at the most. */
  private static final int MIN_PLACES = 64;

  private static final int MAX_PLACES = 1 << 14;

  /** The memory of an entry besides its bytes: the object, two arrays, its places. */
  private static final int OVERHEAD = 88;

  private static final int MAX_TABLES = 1 << 12;

  /**
   * What is known of a key. Its arrays must not be changed.
   *
   * <p>Not a record: whether it was used is changed by readers, of whom none minds a lost update.
   */
  static final class Entry {
    final int table;
    final int mixed;
    final byte[] key;

    /** The first byte of the value, 0 for an empty one, or {@link WriteSet#ABSENT}. */
    final int first;

    /** The value, or {@code null} if there is none or it is too large; see {@link #isKnown}. */
    final byte @Nullable [] value;

    boolean used = true;

    Entry(int table, int mixed, byte[] key, byte @Nullable [] value) {
      this.table = table;
      this.mixed = mixed;
      this.key = key;
      this.value = value != null && value.length > MAX_VALUE ? null : value;
      this.first = value == null ? WriteSet.ABSENT : value.length == 0 ? 0 : value[0] & 0xff;
    }

    /** Whether {@link #value} is what the key holds. */
    boolean isKnown() {
      return value != null || first == WriteSet.ABSENT;
    }

    int bytes() {
      return OVERHEAD + key.length + (value == null ? 0 : value.length);
    }
  }

  private final Part[] parts = new Part[PARTS];
  private final Map<String, Integer> tables = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private int lastTable = NO_TABLE;

  /** Parts of which entries are being written; of the writer. */
  private final List<Part> writing = new ArrayList<>();

  /**
   * Starts empty.
   *
   * @param bytes the most memory that entries take
   */
  HotEntries(long bytes) {
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new Part(bytes / PARTS);
    }
  }

  /** The number of a table; {@link #NO_TABLE} if there are too many. */
  synchronized int table(String name) {
    Integer known = tables.get(name);
    if (known == null && tables.size() < MAX_TABLES) {
      known = ++lastTable;
      tables.put(name, known);
    }
    return known == null ? NO_TABLE : known;
  }

  /** A table is being removed: one that is made later under its name has nothing here. */
  synchronized void forget(String table) {
    tables.remove(table);
  }

  private Part part(int mixed) {
    return parts[mixed & (PARTS - 1)];
  }

  /** Never 0, which is the tag of a free place. */
  private static int mixed(int table, int hash) {
    int mixed = (hash + table * 0x632BE5AB) * 0x9E3779B9;
    mixed ^= mixed >>> 15;
    return mixed == 0 ? 1 : mixed;
  }

  /**
   * What is known of a key, or {@code null}.
   *
   * @param hash of the key, always by the same function
   */
  @Nullable Entry find(int table, byte[] key, int hash) {
    int mixed = mixed(table, hash);
    return part(mixed).find(mixed, table, key);
  }

  /** A mark of the present moment, to be taken before the store is read. */
  int stamp(int table, int hash) {
    return part(mixed(table, hash)).stamp;
  }

  /**
   * A key was read in the store.
   *
   * @param value {@code null} if it is absent; must not be changed
   * @param stamp from before that
   */
  void fill(int table, byte[] key, int hash, byte @Nullable [] value, int stamp) {
    if (key.length <= MAX_KEY) {
      int mixed = mixed(table, hash);
      part(mixed).fill(new Entry(table, mixed, key, value), stamp);
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

  /** The memory that entries take, roughly: others may change them meanwhile. */
  public long bytes() {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.bytes;
    }
    return bytes;
  }

  // ---- of the writer ----

  /** A key is about to be written; {@link #endWrite} or {@link #abandon} must follow. */
  void beginWrite(int table, byte[] key, int hash) {
    int mixed = mixed(table, hash);
    Part part = part(mixed);
    if (part.beginWrite(mixed, table, key)) {
      writing.add(part);
    }
  }

  /** Everything is about to be removed. */
  void beginClear() {
    for (Part part : parts) {
      if (part.beginClear()) {
        writing.add(part);
      }
    }
  }

  /** What the writer wrote, or read in the store or its own writes, is what a key holds. */
  void put(int table, byte[] key, int hash, byte @Nullable [] value) {
    if (key.length <= MAX_KEY) {
      int mixed = mixed(table, hash);
      part(mixed).put(new Entry(table, mixed, key, value));
    }
  }

  /** What was begun is in the store. */
  void endWrite() {
    writing.forEach(Part::endWrite);
    writing.clear();
  }

  /** It is not known what is in the store. */
  void abandon() {
    beginClear();
    endWrite();
  }

  /**
   * Entries by their hashes. The tags are looked at first, since each entry would be a miss of the
   * processor's cache; a reader that sees an outdated tag finds less, or looks in vain.
   */
  private static final class Places {
    final int[] tags;
    final AtomicReferenceArray<@Nullable Entry> entries;

    Places(int size) {
      this.tags = new int[size];
      this.entries = new AtomicReferenceArray<>(size);
    }

    int size() {
      return tags.length;
    }

    /** The first place of those where an entry with this hash can be. */
    int bucket(int mixed) {
      return mixed >>> 8 & tags.length - 1 & -WAYS;
    }

    /** The place of an entry, or -1. */
    int find(int mixed, int table, byte[] key) {
      int from = bucket(mixed);
      for (int i = from; i < from + WAYS; i++) {
        if (tags[i] == mixed) {
          Entry each = entries.getAcquire(i);
          if (each != null && each.table == table && Arrays.equals(each.key, key)) {
            return i;
          }
        }
      }
      return -1;
    }
  }

  /** What is not final is guarded by its monitor, but may be read. */
  private static final class Part {
    private final long max;
    private volatile Places places = new Places(MIN_PLACES);

    /** Odd while entries are being written; different after it. */
    private volatile int stamp;

    private long bytes;
    private int used;
    private int hand;

    Part(long max) {
      this.max = max;
    }

    @Nullable Entry find(int mixed, int table, byte[] key) {
      Places all = places;
      int place = all.find(mixed, table, key);
      Entry entry = place < 0 ? null : all.entries.getAcquire(place);
      // it may be another one by now
      if (entry == null || entry.table != table || !Arrays.equals(entry.key, key)) {
        return null;
      }
      if (!entry.used) {
        entry.used = true;
      }
      return entry;
    }

    synchronized void fill(Entry entry, int before) {
      if (before == stamp && (before & 1) == 0) {
        put(entry);
      }
    }

    synchronized void put(Entry entry) {
      if (entry.bytes() > max) {
        remove(places.find(entry.mixed, entry.table, entry.key));
        return;
      }
      if (used * 2 > places.size() && places.size() < MAX_PLACES) {
        grow();
      }
      int place = places.find(entry.mixed, entry.table, entry.key);
      set(place < 0 ? free(places.bucket(entry.mixed)) : place, entry);
      while (bytes > max) {
        evict();
      }
    }

    /** A place of a bucket: a free one, one that was not used lately, or any. */
    private int free(int from) {
      for (int i = from; i < from + WAYS; i++) {
        if (places.tags[i] == 0 && places.entries.getPlain(i) == null) {
          return i;
        }
      }
      int unused = -1;
      for (int i = from; i < from + WAYS; i++) {
        Entry each = places.entries.getPlain(i);
        if (each == null || !each.used) {
          unused = i;
        }
      }
      if (unused >= 0) {
        return unused;
      }
      for (int i = from; i < from + WAYS; i++) {
        Entry each = places.entries.getPlain(i);
        if (each != null) {
          each.used = false;
        }
      }
      return from + (hand++ & WAYS - 1);
    }

    private void set(int place, @Nullable Entry entry) {
      Entry before = places.entries.getPlain(place);
      bytes += (entry == null ? 0 : entry.bytes()) - (before == null ? 0 : before.bytes());
      used += (entry == null ? 0 : 1) - (before == null ? 0 : 1);
      places.tags[place] = entry == null ? 0 : entry.mixed;
      places.entries.setRelease(place, entry);
    }

    /** Removes the next entry that was not used since the last time round. */
    private void evict() {
      hand = hand + 1 & places.size() - 1;
      Entry each = places.entries.getPlain(hand);
      if (each != null && each.used) {
        each.used = false;
      } else if (each != null) {
        set(hand, null);
      }
    }

    private void grow() {
      Places old = places;
      bytes = 0;
      used = 0;
      places = new Places(2 * old.size()); // readers find less for a moment
      for (int i = 0; i < old.size(); i++) {
        Entry each = old.entries.getPlain(i);
        if (each != null) {
          set(free(places.bucket(each.mixed)), each);
        }
      }
    }

    private void remove(int place) {
      if (place >= 0) {
        set(place, null);
      }
    }

    /** Returns whether the writer was not writing here before. */
    synchronized boolean beginWrite(int mixed, int table, byte[] key) {
      remove(places.find(mixed, table, key));
      return begin();
    }

    synchronized boolean beginClear() {
      places = new Places(MIN_PLACES);
      bytes = 0;
      used = 0;
      hand = 0;
      return begin();
    }

    private synchronized boolean begin() {
      boolean first = (stamp & 1) == 0;
      if (first) {
        stamp++;
      }
      return first;
    }

    synchronized void endWrite() {
      stamp++;
    }
  }
}

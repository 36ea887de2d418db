package io.kvstadium.server.execute;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A part of {@link HotEntries}. The entries are one after the other in a ring of bytes, which costs
 * the collector nothing and a reader two misses of the processor's cache. The oldest make room for
 * new ones, those that were read meanwhile only once more.
 *
 * <p>Who changes it has its monitor. Readers have none: they read, and look whether it was changed
 * meanwhile.
 */
final class HotPart {
  /** An entry's places are in one of these groups: first the tags, then where the entries are. */
  private static final int WAYS = 8;

  private static final int GROUP = 2 * WAYS;

  private static final int MIN_BYTES = 1 << 10;
  private static final int MIN_GROUPS = 2;

  /** The share of the memory that places take at the most. */
  private static final int PLACES_SHARE = 4;

  /** The bytes of a group of places, with what says whether they were used. */
  private static final int GROUP_BYTES = GROUP * Integer.BYTES + WAYS;

  // an entry: these, the key, the value
  private static final int LENGTH = 0;
  private static final int TAG = 4;
  private static final int TABLE = 8;
  private static final int VALUE_LENGTH = 12; // or ABSENT, LARGE, or UNKNOWN while it is written
  private static final int KEY_LENGTH = 16; // and the first byte of the value
  private static final int HEADER = 20;

  private static final int KEY_BITS = 16;

  /** The bytes that the processor reads at once. */
  private static final int LINE = 64;

  /** So many reads without the monitor, then one with it. */
  private static final int TRIES = 4;

  /** So many old entries may stay when one is put in. */
  private static final int CHANCES = 4;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle VERSION = version();

  private static VarHandle version() {
    try {
      return MethodHandles.lookup().findVarHandle(HotPart.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What is replaced together when there must be more of it. */
  private static final class Memory {
    final int[] places;
    final byte[] used;
    final byte[] bytes;

    Memory(int groups, int bytes) {
      this.places = new int[groups * GROUP];
      this.used = new byte[groups * WAYS];
      this.bytes = new byte[bytes];
    }

    /** The first place of those where an entry can be. */
    int group(int tag) {
      return (tag >>> 8 & places.length / GROUP - 1) * GROUP;
    }

    static int use(int place) {
      return place / GROUP * WAYS + place % GROUP;
    }

    /** The place of an entry, or -1. What is found while it changes means nothing. */
    int find(int tag, int table, byte[] key) {
      int from = group(tag);
      for (int i = from; i < from + WAYS; i++) {
        if (places[i] == tag && isAt(places[i + WAYS], table, key)) {
          return i;
        }
      }
      return -1;
    }

    /** The place that leads to an entry, or -1 if it was replaced. */
    int find(int tag, int at) {
      int from = group(tag);
      for (int i = from; i < from + WAYS; i++) {
        if (places[i] == tag && places[i + WAYS] == at) {
          return i;
        }
      }
      return -1;
    }

    private boolean isAt(int at, int table, byte[] key) {
      int from = at + HEADER;
      return from + key.length <= bytes.length
          && get(at + TABLE) == table
          && keyLength(at) == key.length
          && Arrays.equals(bytes, from, from + key.length, key, 0, key.length);
    }

    int keyLength(int at) {
      return get(at + KEY_LENGTH) & (1 << KEY_BITS) - 1;
    }

    int get(int at) {
      return (int) INT.get(bytes, at);
    }

    void set(int at, int value) {
      INT.set(bytes, at, value);
    }
  }

  private final int maxBytes;
  private final int maxGroups;

  /** Odd while the memory is being changed. */
  private int version;

  private Memory memory = new Memory(MIN_GROUPS, MIN_BYTES);

  /** Odd while entries are being written to the store; different after it. */
  private volatile int stamp;

  /** Where the next entry comes. */
  private int head;

  /** Where the oldest is. */
  private int tail;

  /** Where the entries end that are followed by those at the beginning; of use if head < tail. */
  private int end;

  private int entries;

  /** The bytes of the entries that are found. */
  private int live;

  private int turn;
  private int chances;
  private final Deque<byte[]> again = new ArrayDeque<>();

  /** A part with at most so many bytes. */
  HotPart(int bytes) {
    this.maxGroups =
        Math.max(MIN_GROUPS, Integer.highestOneBit(bytes / PLACES_SHARE / GROUP_BYTES | 1));
    this.maxBytes = Math.max(MIN_BYTES, bytes - maxGroups * GROUP_BYTES);
  }

  int stamp() {
    return stamp;
  }

  synchronized int bytes() {
    return memory.bytes.length + memory.places.length / GROUP * GROUP_BYTES;
  }

  // ---- readers ----

  byte @Nullable [] read(int tag, int table, byte[] key) {
    for (int i = 0; i < TRIES; i++) {
      int before = (int) VERSION.getAcquire(this);
      Memory now = memory;
      byte[] found = value(now, now.find(tag, table, key));
      if (isUnchanged(before)) {
        return found;
      }
    }
    synchronized (this) {
      return value(memory, memory.find(tag, table, key));
    }
  }

  int length(int tag, int table, byte[] key) {
    return field(VALUE_LENGTH, tag, table, key);
  }

  int first(int tag, int table, byte[] key) {
    int length = length(tag, table, key);
    int first = length < 0 && length != HotEntries.LARGE ? -1 : field(KEY_LENGTH, tag, table, key);
    return first < 0 ? length : first >>> KEY_BITS;
  }

  private int field(int field, int tag, int table, byte[] key) {
    for (int i = 0; i < TRIES; i++) {
      int before = (int) VERSION.getAcquire(this);
      Memory now = memory;
      int found = field(field, now, now.find(tag, table, key));
      if (isUnchanged(before)) {
        return found;
      }
    }
    synchronized (this) {
      return field(field, memory, memory.find(tag, table, key));
    }
  }

  /** Whether what was read since then is what was there. */
  private boolean isUnchanged(int before) {
    VarHandle.acquireFence();
    return (before & 1) == 0 && (int) VERSION.getOpaque(this) == before;
  }

  private static int field(int field, Memory memory, int place) {
    int at = place < 0 ? -1 : memory.places[place + WAYS];
    return at < 0 ? HotEntries.UNKNOWN : memory.get(at + field);
  }

  private static byte @Nullable [] value(Memory memory, int place) {
    if (place < 0) {
      return null;
    }
    int at = memory.places[place + WAYS];
    int length = memory.get(at + VALUE_LENGTH);
    int from = at + HEADER + memory.keyLength(at);
    // what is read here may be changed meanwhile
    if (length < WriteSet.ABSENT
        || length > HotEntries.MAX_VALUE
        || from + length > memory.bytes.length) {
      return null;
    }
    int use = Memory.use(place);
    if (memory.used[use] == 0) {
      memory.used[use] = 1;
    }
    return length < 0 ? HotEntries.NO_VALUE : Arrays.copyOfRange(memory.bytes, from, from + length);
  }

  int touchPlaces(int tag) {
    Memory now = memory;
    int group = now.group(tag);
    return now.places[group] + now.places[group + WAYS];
  }

  int touchEntry(int tag) {
    Memory now = memory;
    int group = now.group(tag);
    for (int i = group; i < group + WAYS; i++) {
      if (now.places[i] == tag) {
        int at = now.places[i + WAYS];
        int last = now.bytes.length - 1; // an entry of usual size is in three lines
        return now.bytes[at]
            + now.bytes[Math.min(at + LINE, last)]
            + now.bytes[Math.min(at + 2 * LINE, last)];
      }
    }
    return 0;
  }

  // ---- those who change it ----

  private void begin() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.fullFence();
  }

  private void end() {
    VERSION.setRelease(this, version + 1);
  }

  synchronized void fill(int tag, int table, byte[] key, byte @Nullable [] value, int before) {
    if (before == stamp && (before & 1) == 0) {
      put(tag, table, key, value);
    }
  }

  synchronized void put(int tag, int table, byte[] key, byte @Nullable [] value) {
    int valueLength =
        value == null
            ? WriteSet.ABSENT
            : value.length > HotEntries.MAX_VALUE ? HotEntries.LARGE : value.length;
    int length = aligned(HEADER + key.length + Math.max(valueLength, 0));
    begin();
    try {
      int place = memory.find(tag, table, key);
      int at = place < 0 ? -1 : memory.places[place + WAYS];
      if (at >= 0 && memory.get(at + LENGTH) == length) {
        fill(at, key, value, valueLength);
        return;
      }
      remove(place);
      if (length <= maxBytes / 2) {
        add(tag, table, key, value, valueLength, length);
      }
    } finally {
      end();
    }
  }

  private void add(
      int tag, int table, byte[] key, byte @Nullable [] value, int valueLength, int length) {
    chances = CHANCES;
    int at = reserve(length);
    memory.set(at + LENGTH, length);
    memory.set(at + TAG, tag);
    memory.set(at + TABLE, table);
    System.arraycopy(key, 0, memory.bytes, at + HEADER, key.length);
    fill(at, key, value, valueLength);
    place(tag, at, 0);
    while (!again.isEmpty()) {
      byte[] old = again.remove();
      int to = reserve(old.length);
      System.arraycopy(old, 0, memory.bytes, to, old.length);
      place(memory.get(to + TAG), to, 0);
    }
    if (entries * 2 > memory.used.length && memory.used.length < maxGroups * WAYS) {
      rebuild(memory.used.length / WAYS * 2, memory.bytes.length);
    }
  }

  private void fill(int at, byte[] key, byte @Nullable [] value, int valueLength) {
    memory.set(at + VALUE_LENGTH, valueLength);
    int first = value == null || value.length == 0 ? 0 : value[0] & 0xff;
    memory.set(at + KEY_LENGTH, key.length | first << KEY_BITS);
    if (value != null && valueLength > 0) {
      System.arraycopy(value, 0, memory.bytes, at + HEADER + key.length, valueLength);
    }
  }

  private static int aligned(int length) {
    return length + Integer.BYTES - 1 & -Integer.BYTES;
  }

  private void remove(int place) {
    if (place >= 0) {
      live -= memory.get(memory.places[place + WAYS] + LENGTH);
      memory.places[place] = 0;
      entries--;
    }
  }

  /** An entry is in the ring now. */
  private void place(int tag, int at, int used) {
    int place = free(memory.group(tag));
    if (memory.places[place] != 0) {
      remove(place);
    }
    entries++;
    live += memory.get(at + LENGTH);
    memory.places[place] = tag;
    memory.places[place + WAYS] = at;
    memory.used[Memory.use(place)] = (byte) used;
  }

  /** A place of a group: a free one, one that was not used lately, or any. */
  private int free(int from) {
    int unused = -1;
    for (int i = from; i < from + WAYS; i++) {
      if (memory.places[i] == 0) {
        return i;
      }
      if (memory.used[Memory.use(i)] == 0) {
        unused = i;
      }
    }
    if (unused >= 0) {
      return unused;
    }
    int use = Memory.use(from);
    Arrays.fill(memory.used, use, use + WAYS, (byte) 0);
    return from + (turn++ & WAYS - 1);
  }

  /** Makes room in the ring. */
  private int reserve(int length) {
    while (true) {
      if (head < tail ? head + length < tail : head + length <= memory.bytes.length) {
        int at = head;
        head += length;
        return at;
      }
      if (memory.bytes.length < maxBytes && (live + length) * 2 > memory.bytes.length) {
        rebuild(memory.used.length / WAYS, Math.min(maxBytes, 2 * memory.bytes.length));
      } else if (head >= tail && tail > 0) {
        end = head;
        head = 0;
      } else {
        evict();
      }
    }
  }

  /** Drops the oldest entry, or moves it. */
  private void evict() {
    int length = memory.get(tail + LENGTH);
    int place = memory.find(memory.get(tail + TAG), tail);
    if (place >= 0) {
      boolean isHalfEmpty = live * 2L <= memory.bytes.length; // of what was replaced
      if ((isHalfEmpty || memory.used[Memory.use(place)] != 0) && chances > 0) {
        chances--;
        again.add(Arrays.copyOfRange(memory.bytes, tail, tail + length));
      }
      remove(place);
    }
    tail += length;
    if (head < tail && tail == end) {
      tail = 0;
    } else if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  /** More places, or more bytes: what is there moves. */
  private void rebuild(int groups, int bytes) {
    Memory old = memory;
    int from = tail;
    int stop = head;
    boolean wraps = head < tail;
    memory = new Memory(groups, bytes);
    entries = 0;
    live = 0;
    tail = 0;
    head = 0;
    while (from != stop || wraps) {
      if (wraps && from == end) {
        from = 0;
        wraps = false;
        continue;
      }
      int length = old.get(from + LENGTH);
      int tag = old.get(from + TAG);
      int place = old.find(tag, from);
      if (place >= 0) {
        System.arraycopy(old.bytes, from, memory.bytes, head, length);
        place(tag, head, old.used[Memory.use(place)]);
        head += length;
      }
      from += length;
    }
  }

  /** Returns whether the writer was not writing here before. */
  synchronized boolean beginWrite(int tag, int table, byte[] key) {
    int place = memory.find(tag, table, key);
    if (place >= 0) {
      begin();
      memory.set(memory.places[place + WAYS] + VALUE_LENGTH, HotEntries.UNKNOWN);
      end();
    }
    return beginWrites();
  }

  synchronized boolean beginClear() {
    begin();
    memory = new Memory(MIN_GROUPS, MIN_BYTES);
    head = 0;
    tail = 0;
    entries = 0;
    live = 0;
    end();
    return beginWrites();
  }

  private synchronized boolean beginWrites() {
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

package io.kvstadium.server.database;

import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One of the numbered databases: its table, and what is known of it outside the store. Except for
 * the table, which never changes, it belongs to the thread that has the turn to write.
 */
public final class Database {
  /** The version of the storage format, until something is stored that needs a later one. */
  private static final byte VERSION = 1;

  /** The version with {@link Fragments} and {@link FieldExpiries}, the latest that is known. */
  static final byte VERSION_2 = 2;

  private static final long RESERVED = 1_000;

  /** A range of so many elements is large enough to be timed. */
  static final int TIMED = 4_096;

  /** A larger portion is a longer wait for others. */
  private static final int SELDOM = 16;

  /** Nanoseconds in which no engine removes an element by itself. */
  private static final long ELEMENT = 100;

  /** The bytes of a database that nobody counts. */
  private static final long UNCOUNTED = -1;

  private final int number;
  private final @Nullable Table<byte[], byte[]> table;
  private final boolean raw;
  private final KeyWaits waits;
  private final boolean removesRanges;
  private final LongAdder changes = new LongAdder();
  private volatile Counters counters = new Counters(0, 0, 0, UNCOUNTED);

  /** The collection that is being removed, and how many portions of it were. */
  private long removing = -1;

  private int portions;

  /** How many elements the present commit group removes by their range. */
  private int removed;

  private boolean removesAtOnce;
  private byte version = VERSION;
  private long generation;
  private long reserved;

  /** The clients that must know if a key changes. */
  private final Map<Bytes, Set<KeyWatcher>> watchers = new HashMap<>();

  private Database(
      int number,
      @Nullable Table<byte[], byte[]> table,
      boolean raw,
      boolean removesRanges,
      KeyWaits waits) {
    this.removesRanges = removesRanges;
    this.number = number;
    this.table = table;
    this.raw = raw;
    this.waits = waits;
  }

  /**
   * The database in a table.
   *
   * @param raw whether keys and values are plain, as other programs write them
   * @throws BadArgumentException if the table holds something else
   */
  static Database of(
      int number,
      Store store,
      Table<byte[], byte[]> table,
      boolean raw,
      boolean readOnly,
      KeyWaits waits) {
    boolean removesRanges =
        store.capabilities().containsAll(EnumSet.of(Capability.BATCH, Capability.RANGE_DELETE));
    Database database = new Database(number, table, raw, removesRanges, waits);
    if (!raw) {
      database.load(store, table, readOnly);
    }
    return database;
  }

  /** A database without a table yet, which can only be read. */
  static Database absent(int number, boolean raw, KeyWaits waits) {
    return new Database(number, null, raw, false, waits);
  }

  private void load(Store store, Table<byte[], byte[]> table, boolean readOnly) {
    byte[] found = table.get(Keys.VERSION);
    if (found == null) {
      boolean empty;
      try (Cursor<byte[], byte[]> any = table.scan(Range.<byte[]>all().limit(1))) {
        empty = !any.next();
      }
      if (!empty) {
        throw new BadArgumentException(
            "table '%s' of %s holds entries that are not a Redis database's: serve them with --raw"
                .formatted(table.name(), store.url()));
      }
      if (!readOnly) {
        table.put(Keys.VERSION, new byte[] {VERSION});
      }
    } else if (found.length != 1 || found[0] < VERSION || found[0] > VERSION_2) {
      throw new BadArgumentException(
          "table '%s' of %s has version %d, written by a newer server; this one knows %d"
              .formatted(table.name(), store.url(), found.length == 1 ? found[0] : -1, VERSION_2));
    } else {
      version = found[0];
    }
    generation = number(table.get(Keys.GENERATION));
    reserved = generation;
    byte[] stored = table.get(Keys.COUNT);
    boolean exact = store.capabilities().contains(Capability.BATCH); // else it may be wrong
    if (exact && stored != null && stored.length >= 24) {
      ByteBuffer numbers = ByteBuffer.wrap(stored);
      counters =
          new Counters(
              numbers.getLong(),
              numbers.getLong(),
              numbers.getLong(),
              numbers.hasRemaining() ? numbers.getLong() : UNCOUNTED);
    } else if (exact || store.capabilities().contains(Capability.SCAN)) {
      counters =
          expiring(
              table, exact ? number(stored) : table.count(Range.prefix(new byte[] {Keys.KEY})));
    }
  }

  private static Counters expiring(Table<byte[], byte[]> table, long keys) {
    Counters found = new Counters(keys, 0, 0, UNCOUNTED);
    try (Cursor<byte[], byte[]> all = table.scan(Keys.expiries().keysOnly())) {
      while (all.next()) {
        found = found.plus(0, 1, Counters.seconds(Keys.number(all.key())), 0);
      }
    }
    return found;
  }

  private static long number(byte @Nullable [] stored) {
    return stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
  }

  /** Begins to count the bytes, which reads everything, or ends it. */
  void counts(boolean wanted) {
    if (raw || wanted == counted()) {
      return;
    }
    counters = counters.bytes(wanted ? bytes() : UNCOUNTED);
    if (!wanted) { // what is stored would not be true for long
      table().put(Keys.COUNT, counters.stored());
    }
  }

  private long bytes() {
    long bytes = 0;
    try (Cursor<byte[], byte[]> all = table().scan(Range.all())) {
      while (all.next()) {
        bytes +=
            all.key()[0] == Keys.META
                ? 0
                : all.key().length + all.<Long>value(MemorySegment::byteSize);
      }
    }
    return bytes;
  }

  /** Whether the bytes are counted. */
  boolean counted() {
    return counters.bytes() >= 0;
  }

  public int number() {
    return number;
  }

  /**
   * Its table.
   *
   * @throws IllegalStateException if it has none yet
   */
  Table<byte[], byte[]> table() {
    if (table == null) {
      throw new IllegalStateException("database " + number + " has no table yet");
    }
    return table;
  }

  /** Whether there is a table. */
  boolean exists() {
    return table != null;
  }

  public boolean raw() {
    return raw;
  }

  /** The version of the storage format. */
  byte version() {
    return version;
  }

  void version(byte stored) {
    version = stored;
  }

  /** Whether a range can be removed in one step, together with other writes. */
  boolean removesRanges() {
    return removesRanges;
  }

  /** Whether removing a range takes the engine the same time however much is in it. */
  boolean removesAtOnce() {
    return removesAtOnce;
  }

  /** Whether the next portion of a removed collection is to be one that can be timed. */
  boolean times(long collection) {
    portions = removing == collection ? portions + 1 : 0;
    removing = collection;
    return removesRanges && portions % SELDOM == 0;
  }

  /** The present commit group removes a range of so many elements. */
  void removing(int elements) {
    removed = elements;
  }

  /** The commit group was written, which took so long. */
  public void committed(long nanos) {
    removesAtOnce |= removed >= TIMED && nanos < removed * ELEMENT;
    removed = 0;
  }

  /** How many keys there are, including those that are due but not removed yet. */
  long count() {
    return counters.keys();
  }

  Counters counters() {
    return counters;
  }

  void counters(Counters changed) {
    counters = changed;
  }

  /** A number that no collection has had; {@link #needsBound} must be called afterwards. */
  long nextGeneration() {
    return generation++;
  }

  /** Whether a higher bound must be stored together with the new numbers. */
  boolean needsBound() {
    return generation > reserved;
  }

  /** The bound to store next. */
  long wanted() {
    return generation + RESERVED;
  }

  void reserved(long bound) {
    reserved = bound;
  }

  public void watch(Bytes key, KeyWatcher client) {
    watchers.computeIfAbsent(key, _ -> new HashSet<>(2)).add(client);
  }

  public void unwatch(Bytes key, KeyWatcher client) {
    Set<KeyWatcher> own = watchers.get(key);
    if (own != null && own.remove(client) && own.isEmpty()) {
      watchers.remove(key);
    }
  }

  /** How often a key has changed. */
  long changes() {
    return changes.sum();
  }

  /** A key has changed. */
  public void touched(byte[] key) {
    changes.increment();
    waits.touched(number, key);
    if (!watchers.isEmpty()) {
      watchers.getOrDefault(new Bytes(key), Set.of()).forEach(KeyWatcher::spoil);
    }
  }

  /** All keys are removed. */
  void cleared() {
    waits.cleared(number);
  }

  /** Treats everything that is watched as changed. */
  void spoilAll() {
    watchers.values().forEach(each -> each.forEach(KeyWatcher::spoil));
  }

  /** All keys that are watched. */
  Set<Bytes> watched() {
    return watchers.keySet();
  }
}

package io.kvstadium.server.database;

import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The numbered databases of a store. Safe for all threads. */
public final class Databases {
  public static final int COUNT = 16;

  /** Each database is in the table of its number, until some are swapped. */
  private static final byte[] IDENTITY = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

  private final Store store;
  private final boolean raw;
  private final boolean readOnly;
  private final boolean several;
  private final KeyWaits waits;
  private final Cursors cursors = new Cursors();
  private final Runnable missed;

  /** Whether databases have ever been swapped: then {@link Keys#PLACES} must be read. */
  private volatile boolean swapped;

  /** Whether anybody must know what changes. */
  private volatile boolean listened;

  /** Keeps them below a size, or {@code null}. */
  private volatile @Nullable Eviction eviction;

  /** Whether their bytes are counted. */
  private boolean counted;

  private final AtomicReferenceArray<@Nullable Database> open = new AtomicReferenceArray<>(COUNT);

  /**
   * The databases of a store.
   *
   * @param waits learns which keys change
   * @param missed called when somebody began to listen during a commit group that reported nothing
   */
  public Databases(Store store, boolean raw, boolean readOnly, KeyWaits waits, Runnable missed) {
    this.waits = waits;
    this.missed = missed;
    this.store = store;
    this.raw = raw;
    this.readOnly = readOnly;
    this.several = store.capabilities().contains(Capability.TABLES);
    for (String name : store.tables()) {
      int number = number(name);
      if (number >= 0) {
        get(number);
      }
    }
    swapped = !raw && get(0).table().get(Keys.PLACES) != null;
    if (swapped) {
      waits.swaps();
    }
  }

  /** The number of the database in this table, or -1 if the table is not a database. */
  public int number(String table) {
    for (int i = 0; i < COUNT; i++) {
      if (name(i).equals(table)) {
        return several || i == 0 ? i : -1;
      }
    }
    return -1;
  }

  private String name(int number) {
    return number == 0 && (raw || !several) ? Store.DEFAULT_TABLE : "db" + number;
  }

  /** Sets whether commit groups that begin from now on report what they change. */
  public void listened(boolean somebody) {
    listened = somebody;
  }

  private void missed() {
    if (listened) {
      missed.run();
    }
  }

  /** Where scans continue. */
  public Cursors cursors() {
    return cursors;
  }

  public boolean raw() {
    return raw;
  }

  /** Whether a database with this number can be used. */
  public boolean has(int number) {
    return number >= 0 && number < (several ? COUNT : 1);
  }

  Database get(int number) {
    Database database = open.get(number);
    return database == null ? make(number) : database;
  }

  /** The same for a reader: who only reads makes no table. */
  private Database find(int number) {
    Database database = open.get(number);
    if (database != null) {
      return database;
    }
    return store.tables().contains(name(number))
        ? make(number)
        : Database.absent(number, raw, waits);
  }

  private synchronized Database make(int number) {
    Database database = open.get(number);
    if (database == null) {
      Table<byte[], byte[]> table =
          number == 0 && (raw || !several) ? store.table() : store.table(name(number));
      database = Database.of(number, store, table, raw, readOnly, waits);
      database.counts(counted);
      open.set(number, database);
    }
    return database;
  }

  /** A database that has been used, or {@code null} if it is empty. */
  public @Nullable Database present(int number) {
    return open.get(number);
  }

  /** How many keys all databases have, as far as they are counted. */
  public long keys() {
    long keys = 0;
    for (int i = 0; i < COUNT; i++) {
      Database each = open.get(i);
      keys += each == null ? 0 : each.count();
    }
    return keys;
  }

  /** The bytes of all databases, if they are counted. */
  public long bytes() {
    long bytes = 0;
    for (int i = 0; i < COUNT; i++) {
      Database each = open.get(i);
      bytes += each == null ? 0 : Math.max(0, each.counters().bytes());
    }
    return bytes;
  }

  /** Keeps them below a size from now on, or no longer; alone in its commit group. */
  public void keep(@Nullable Eviction below, boolean bounded) {
    synchronized (this) {
      eviction = below;
      counted = bounded;
    }
    for (int i = 0; i < COUNT; i++) {
      Database each = open.get(i);
      if (each != null) {
        each.counts(bounded);
      }
    }
  }

  /** What keeps them below a size, or {@code null}. */
  public @Nullable Eviction eviction() {
    return eviction;
  }

  /** How often a key of any database has changed. */
  public long changes() {
    long changes = 0;
    for (int i = 0; i < COUNT; i++) {
      Database each = open.get(i);
      changes += each == null ? 0 : each.changes();
    }
    return changes;
  }

  /** The counters of the databases that have keys, by their numbers. */
  public Map<Integer, Counters> counters() {
    Map<Integer, Counters> found = new TreeMap<>();
    byte[] places = places();
    for (int i = 0; i < COUNT; i++) {
      Database database = open.get(places[i]);
      if (database != null && database.count() > 0) {
        found.put(i, database.counters());
      }
    }
    return found;
  }

  /** The table in which each database is, according to the store. */
  byte[] places() {
    byte[] stored = swapped ? get(0).table().get(Keys.PLACES) : null;
    return stored == null ? IDENTITY : stored;
  }

  /** The databases as one commit group sees them. */
  public static final class View {
    private final Databases databases;
    private final CommitGroup commitGroup;
    private final Map<Integer, Keyspace> keyspaces = new HashMap<>(2);
    private final @Nullable Changes changes;
    private final Keyspace.Lookups lookups = new Keyspace.Lookups();
    private final @Nullable Recency recency;
    private final Map<Bytes, Long> broadcast = new TreeMap<>();

    /** The last requested one, which is nearly always requested again. */
    private @Nullable Keyspace recent;

    private long clock = System.nanoTime();

    public View(Databases databases, CommitGroup commitGroup) {
      this.databases = databases;
      this.commitGroup = commitGroup;
      this.changes = commitGroup.writes() && databases.listened ? new Changes() : null;
      Eviction below = databases.eviction;
      this.recency = below == null ? null : below.recency();
      if (commitGroup.writes() && changes == null) {
        commitGroup.afterCommit(databases::missed);
      }
    }

    /** The database with a number. */
    public Keyspace keyspace(int number) {
      return stored(databases.swapped ? places()[number] : number);
    }

    /** The database in a table, whatever its number is. */
    public Keyspace stored(int place) {
      Keyspace keyspace = recent;
      if (keyspace == null || keyspace.database().number() != place) {
        keyspace =
            keyspaces.computeIfAbsent(
                place,
                _ ->
                    new Keyspace(
                        commitGroup.writes() ? databases.get(place) : databases.find(place),
                        commitGroup,
                        lookups,
                        changes,
                        recency));
        recent = keyspace;
      }
      return keyspace;
    }

    /** The bytes of all databases, with what this commit group changes. */
    public long bytes() {
      long bytes = databases.bytes();
      for (Keyspace each : keyspaces.values()) {
        bytes += each.growth();
      }
      return bytes;
    }

    /** The lookups in its databases, by everybody. */
    public Keyspace.Lookups lookups() {
      return lookups;
    }

    /**
     * The keys that were changed in this commit group, each with the number of the client that did
     * it last, or 0.
     */
    public Map<Bytes, Long> broadcast() {
      return broadcast;
    }

    /** When the last execution ended and the next one begins, by {@link System#nanoTime}. */
    public long clock() {
      return clock;
    }

    public void clock(long nanos) {
      clock = nanos;
    }

    /** The number of the database in a table. */
    public int number(int place) {
      byte[] places = databases.swapped ? places() : IDENTITY;
      int number = 0;
      while (places[number] != place) {
        number++;
      }
      return number;
    }

    private byte[] places() {
      byte[] stored = commitGroup.view(databases.get(0).table()).get(Keys.PLACES);
      return stored == null ? IDENTITY : stored;
    }

    /** Swaps the numbers of two databases. */
    public void swap(int one, int other) {
      databases.swapped = true;
      databases.waits.swaps();
      WriteSet first = commitGroup.on(databases.get(0).table());
      byte[] places = places().clone();
      keyspace(one).database().spoilAll();
      keyspace(other).database().spoilAll();
      byte place = places[one];
      places[one] = places[other];
      places[other] = place;
      if (Arrays.equals(places, IDENTITY)) {
        first.delete(Keys.PLACES);
      } else {
        first.put(Keys.PLACES, places);
      }
      databases.waits.swapped(one, places[one], other, places[other]);
      if (changes != null) {
        changes.cleared();
      }
    }

    /** What the running request has changed, or {@code null} if nobody listens. */
    public @Nullable Changes changes() {
      return changes;
    }

    public CommitGroup commitGroup() {
      return commitGroup;
    }

    /** Begins something that fails or succeeds as a whole. */
    public void savepoint() {
      commitGroup.savepoint();
      for (Keyspace keyspace : keyspaces.values()) {
        keyspace.savepoint();
      }
      if (changes != null) {
        changes.clear();
      }
    }

    public void rollback() {
      commitGroup.rollback();
      keyspaces.values().forEach(Keyspace::rollback);
    }
  }
}

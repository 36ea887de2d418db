package io.kvstadium.server.database;

import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Kind;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A database as a commit group sees it, without what is due. Every write keeps the count, the order
 * of expiry and the list of garbage in step, all in the group's batch.
 */
public final class Keyspace {
  private static final byte[] NONE = {};

  private final Database database;
  private final CommitGroup commitGroup;
  private final ReadView table;
  private final CollectionElements elements;
  private final Fragments fragments;

  /** Whether what is read in several steps is from one moment. */
  private final boolean consistent;

  private final long now;
  private final @Nullable Changes changes;
  private final Lookups lookups;

  /** What must know which keys are used, or {@code null}. */
  private final @Nullable Recency recency;

  /** The last requested key, and its stored form: it is often written next. */
  private byte[] recent = NONE;

  private byte[] recentStored = Keys.key(NONE);

  private final CounterChanges counterChanges = new CounterChanges();

  /** Whether something was stored that version 1 does not have. */
  private boolean isOfVersion2;

  private long swept;

  /** How often lookups found something. For one thread. */
  public static final class Lookups {
    public long hits;
    public long misses;
  }

  /**
   * A database.
   *
   * @param lookups counts the lookups
   * @param changes receives every change, or {@code null} if nobody listens
   * @param recency learns which keys are used, or {@code null}
   */
  Keyspace(
      Database database,
      CommitGroup commitGroup,
      Lookups lookups,
      @Nullable Changes changes,
      @Nullable Recency recency) {
    this.recency = recency;
    this.lookups = lookups;
    this.changes = changes;
    this.database = database;
    this.table = database.exists() ? commitGroup.view(database.table()) : commitGroup.absent();
    this.elements = new CollectionElements(database, table);
    this.fragments = new Fragments(table);
    this.consistent = commitGroup.isConsistent();
    this.now = commitGroup.now();
    if (commitGroup.writes()) {
      if (database.counted()) {
        table.writable().counts(Keys.META);
      }
      commitGroup.beforeCommit(this::storeNumbers);
      commitGroup.afterCommit(() -> database.counters(counters()));
    }
    this.commitGroup = commitGroup;
  }

  /** The same database as it was at one moment, to be read. */
  private Keyspace(Keyspace same, ReadView moment) {
    this.recency = null;
    this.lookups = new Lookups();
    this.changes = null;
    this.database = same.database;
    this.table = moment;
    this.elements = new CollectionElements(database, moment);
    this.fragments = new Fragments(moment);
    this.consistent = true;
    this.now = same.now;
    this.commitGroup = same.commitGroup;
  }

  /** Reads in several steps what is there at one moment. */
  public <R> R consistently(Function<Keyspace, R> task) {
    return consistent
        ? task.apply(this)
        : commitGroup.consistently(
            database.table(), moment -> task.apply(new Keyspace(this, moment)));
  }

  private void storeNumbers() {
    if ((counterChanges.any() || growth() != 0) && !database.raw()) {
      table.writable().put(Keys.COUNT, counters().stored());
    }
    if (database.needsBound()) { // only here: what a request writes may be undone
      storeBound();
    }
    if (isOfVersion2 && database.version() < Database.VERSION_2) {
      table.writable().put(Keys.VERSION, new byte[] {Database.VERSION_2});
      commitGroup.afterCommit(() -> database.version(Database.VERSION_2));
    }
  }

  private Counters counters() {
    return counterChanges.after(database.counters(), growth());
  }

  /** By how many bytes this commit group changes it, if they are counted. */
  long growth() {
    return table instanceof WriteSet writeSet
        ? writeSet.growth() - counterChanges.clearedBytes()
        : 0;
  }

  private void storeBound() {
    long bound = database.wanted();
    table.writable().put(Keys.GENERATION, number(bound));
    commitGroup.afterCommit(() -> database.reserved(bound));
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  /** How many keys {@link #sweep} has removed. */
  public long swept() {
    return swept;
  }

  void savepoint() {
    counterChanges.savepoint();
  }

  void rollback() {
    counterChanges.rollback();
    elements.rolledBack();
    database.removing(0);
  }

  public Database database() {
    return database;
  }

  /** Unix time in milliseconds. */
  public long now() {
    return now;
  }

  /** Names a key that will be read. */
  public void prefetch(byte[] key) {
    table.prefetch(stored(key));
  }

  /** Names a key that will be overwritten, whatever it holds. */
  public void prefetchOverwritten(byte[] key) {
    if (!database.raw()) {
      table.writable().prefetchFirst(stored(key));
    } else if (changes != null) {
      prefetch(key);
    }
  }

  @SuppressWarnings("ReferenceEquality") // only to save work; a request's arrays do not change
  private byte[] stored(byte[] key) {
    if (database.raw()) {
      return key;
    }
    byte[] stored = recentStored;
    if (key != recent) {
      stored = Keys.key(key);
      recent = key;
      recentStored = stored;
    }
    return stored;
  }

  /** What a key holds, or {@code null}. */
  public @Nullable StoredValue find(byte[] key) {
    StoredValue entry = entry(key);
    return entry == null || !entry.inFragments()
        ? entry
        : consistently(same -> Optional.ofNullable(same.entry(key)).map(same::whole)).orElse(null);
  }

  /** The same as it is stored under the key itself: the content of a long string is elsewhere. */
  public @Nullable StoredValue entry(byte[] key) {
    return alive(key, present(key));
  }

  /** With the content of a string that is in fragments. */
  public StoredValue whole(StoredValue entry) {
    if (!entry.inFragments()) {
      return entry;
    }
    byte[] content = new byte[entry.length()];
    fragments.read(entry.elements(), 0, content);
    return StoredValue.string(content, entry.expiry());
  }

  /** The same without the content of a long string. */
  public @Nullable StoredValue head(byte[] key) {
    return alive(key, presentHead(key, 0));
  }

  /** The same without a trace: it is no use of the key. */
  public @Nullable StoredValue peek(byte[] key) {
    return alive(presentHead(key, 0));
  }

  private @Nullable StoredValue alive(byte[] key, @Nullable StoredValue storedValue) {
    StoredValue found = alive(storedValue);
    if (found != null) {
      used(key);
    }
    return found;
  }

  private @Nullable StoredValue alive(@Nullable StoredValue storedValue) {
    if (storedValue == null || storedValue.expiry() <= now) {
      lookups.misses++;
      return null;
    }
    lookups.hits++;
    return storedValue;
  }

  private void used(byte[] key) {
    if (recency != null) {
      recency.use(database.number(), key);
    }
  }

  /** The {@link #entry} of a key of one kind, or {@code null}. */
  public @Nullable StoredValue entry(byte[] key, Kind kind) {
    return of(kind, entry(key));
  }

  /** What a key of one kind holds, or {@code null}. */
  public @Nullable StoredValue find(byte[] key, Kind kind) {
    return of(kind, kind == Kind.STRING ? find(key) : head(key));
  }

  /**
   * A string, or {@code null}.
   *
   * @param needed how many of its first bytes must be there
   */
  public @Nullable StoredValue string(byte[] key, int needed) {
    return of(Kind.STRING, alive(key, presentHead(key, needed)));
  }

  private static @Nullable StoredValue of(Kind kind, @Nullable StoredValue storedValue) {
    if (storedValue != null && storedValue.kind() != kind) {
      throw ReplyException.wrongType();
    }
    return storedValue;
  }

  /** What is stored at a key, due or not. */
  private @Nullable StoredValue present(byte[] key) {
    byte[] bytes = table.get(stored(key));
    return bytes == null ? null : storedValue(bytes, bytes.length);
  }

  /** The same with at least so many bytes of a string. */
  @Nullable StoredValue presentHead(byte[] key, int needed) {
    ReadView.Head head = table.head(stored(key), StoredValue.BEFORE_STRING + needed);
    return head == null ? null : storedValue(head.bytes(), head.length());
  }

  private StoredValue storedValue(byte[] bytes, int total) {
    return database.raw() ? StoredValue.raw(bytes, total) : StoredValue.read(bytes, total);
  }

  /**
   * What an overwritten key held, as far as it matters: strings without expiry are all the same.
   */
  private @Nullable StoredValue overwritten(byte[] key) {
    if (database.raw()) {
      return changes == null ? null : presentHead(key, 0); // only if somebody listens
    }
    int first = table.writable().first(stored(key));
    if (first == WriteSet.ABSENT) {
      return null;
    }
    return StoredValue.isPlain(first) ? StoredValue.PLAIN : presentHead(key, 0);
  }

  /** Sets what a key holds; for what has elements, its numbers. */
  public void set(byte[] key, StoredValue value) {
    StoredValue storedValue = stored(value);
    StoredValue before = overwritten(key);
    if (database.raw()) {
      if (storedValue.kind() != Kind.STRING || storedValue.expiry() != StoredValue.FOREVER) {
        throw ReplyException.error(
            "this server serves plain tables (--raw), which hold neither collections nor expiry");
      }
      table.writable().put(key, storedValue.value());
    } else {
      forget(key, before, storedValue);
      if (storedValue.expiry() != StoredValue.FOREVER
          && (before == null || before.expiry() != storedValue.expiry())) {
        table.writable().mark(Keys.expiry(storedValue.expiry(), key));
      }
      long next = nextFieldExpiry(storedValue);
      if (next != StoredValue.FOREVER && (before == null || nextFieldExpiry(before) != next)) {
        table.writable().mark(Keys.fieldExpiry(next, key));
      }
      table.writable().put(stored(key), storedValue.stored());
      counterChanges.added(before == null ? 1 : 0);
    }
    used(key);
    touched(key, before, storedValue);
  }

  /** What is stored of a value under its key: of a long string only where its fragments are. */
  private StoredValue stored(StoredValue value) {
    StoredValue storedValue = value;
    boolean isLong = !value.hasElements() && value.length() > Fragments.MAX_WHOLE;
    if (isLong && !database.raw()) {
      Elements fresh = elements.fresh();
      fragments.write(fresh, 0, value.value());
      storedValue = StoredValue.inFragments(value.expiry(), fresh.counting(value.length()));
    }
    isOfVersion2 |= storedValue.isOfVersion2();
    return storedValue;
  }

  /** Removes a key with everything it holds; returns whether it existed and was not due. */
  public boolean remove(byte[] key) {
    StoredValue before = presentHead(key, 0);
    if (before == null) {
      return false;
    }
    forget(key, before, null);
    table.writable().delete(stored(key));
    counterChanges.added(database.raw() ? 0 : -1);
    if (recency != null) {
      recency.forget(database.number(), key);
    }
    touched(key, before, null);
    return before.expiry() > now;
  }

  /** Whether a key has elements. */
  boolean hasElements(byte[] key) {
    StoredValue storedValue = presentHead(key, 0);
    return storedValue != null && storedValue.hasElements();
  }

  /** Elements have changed, but not the numbers that the key holds. */
  public void touch(byte[] key) {
    database.touched(key);
    if (changes != null) {
      changes.touched(database.number(), key);
    }
  }

  private void touched(byte[] key, @Nullable StoredValue before, @Nullable StoredValue after) {
    database.touched(key);
    counterChanges.expiry(before, -1);
    counterChanges.expiry(after, 1);
    if (changes != null) {
      changes.changed(database.number(), key, before, after, now);
    }
  }

  /** Cleans up after what a key held, unless the new content continues it. */
  private void forget(byte[] key, @Nullable StoredValue before, @Nullable StoredValue after) {
    if (before == null || database.raw()) {
      return;
    }
    if (before.expiry() != StoredValue.FOREVER
        && (after == null || after.expiry() != before.expiry())) {
      table.writable().delete(Keys.expiry(before.expiry(), key));
    }
    long next = nextFieldExpiry(before);
    if (next != StoredValue.FOREVER && (after == null || nextFieldExpiry(after) != next)) {
      table.writable().delete(Keys.fieldExpiry(next, key));
    }
    if (before.hasElements()) {
      Elements old = before.elements();
      StoredValue goesOn =
          after != null && after.hasElements() && after.elements().generation() == old.generation()
              ? after
              : null;
      if (goesOn == null) {
        table.writable().mark(Keys.garbage(old.generation()));
      }
      if (before.hasFieldExpiries() && (goesOn == null || !goesOn.hasFieldExpiries())) {
        table.writable().mark(Keys.garbage(old.first()));
      }
    }
  }

  private static long nextFieldExpiry(StoredValue storedValue) {
    return storedValue.hasFieldExpiries()
        ? storedValue.elements().nextExpiry()
        : StoredValue.FOREVER;
  }

  /** Renames a key; the new name must be free. A collection's elements need not be moved. */
  public void rename(byte[] from, byte[] to) {
    StoredValue storedValue = present(from);
    if (storedValue == null || database.raw()) {
      throw ReplyException.noSuchKey();
    }
    if (storedValue.expiry() != StoredValue.FOREVER) {
      table.writable().delete(Keys.expiry(storedValue.expiry(), from));
    }
    if (storedValue.hasFieldExpiries()) {
      table.writable().delete(Keys.fieldExpiry(nextFieldExpiry(storedValue), from));
    }
    table.writable().delete(Keys.key(from));
    counterChanges.added(-1);
    touched(from, storedValue, null);
    set(to, storedValue);
  }

  /**
   * Sets the numbers of a collection; without elements it is removed.
   *
   * @param before what the key held, for its expiry, or {@code null}
   */
  public void set(byte[] key, Kind kind, Elements elements, @Nullable StoredValue before) {
    if (elements.count() == 0) {
      remove(key);
    } else {
      set(
          key,
          StoredValue.collection(
              kind, before == null ? StoredValue.FOREVER : before.expiry(), elements));
    }
  }

  /** What is stored about all databases, if this is the first. */
  public Notes notes() {
    return new Notes(database, table);
  }

  /** The content of its long strings. */
  public Fragments fragments() {
    return fragments;
  }

  /** The elements of its collections. */
  public CollectionElements elements() {
    return elements;
  }

  /** Reports what happened to a key, to those who listen to notifications. */
  public void notify(byte[] key, String event) {
    if (changes != null) {
      changes.named(database.number(), key, event);
    }
  }

  /** The entries of a range of the table. */
  Walk scan(Range<byte[]> range) {
    return table.scan(range);
  }

  /** The keys of a range of names, also those that are due, with what they hold. */
  public Walk keys(Range<byte[]> range) {
    return !database.raw() && database.count() + counterChanges.keys() == 0
        ? Walk.NOTHING
        : table.scan(range);
  }

  /** All keys whose name has this prefix. */
  public Range<byte[]> names(byte[] prefix) {
    return database.raw() ? Range.prefix(prefix) : Keys.names(prefix);
  }

  /** The part of {@link #names} after a name. */
  public Range<byte[]> behind(byte[] name, byte[] prefix) {
    return names(prefix).from(stored(name), false);
  }

  /** The name of a key from {@link #keys}. */
  public byte[] name(byte[] key) {
    return database.raw() ? key : Keys.name(key);
  }

  /** Whether the present entry of {@link #keys} is visible to clients. */
  public boolean alive(Walk at) {
    return storedValue(at).expiry() > now;
  }

  /** What kind the present entry of {@link #keys} is. */
  public Kind kind(Walk at) {
    return storedValue(at).kind();
  }

  private StoredValue storedValue(Walk at) {
    ReadView.Head head = at.head(StoredValue.LONGEST_HEAD);
    return storedValue(head.bytes(), head.length());
  }

  /** How many keys there are. */
  public long size() {
    if (database.raw()) {
      return database.exists() ? database.table().count() : 0;
    }
    long due = 0;
    try (Walk all = table.scan(Keys.due(now).keysOnly())) {
      while (all.next()) {
        due++;
      }
    }
    return database.count() + counterChanges.keys() - due;
  }

  /** Removes everything, except what describes databases. */
  public void clear() {
    for (Bytes key : database.watched()) {
      if (head(key.value()) != null) {
        database.touched(key.value());
      }
    }
    database.cleared();
    byte[] places = database.raw() ? null : table.get(Keys.PLACES);
    Map<String, byte[]> all = notes().all("");
    table.writable().clear();
    if (changes != null) {
      changes.cleared();
    }
    if (places != null) { // which belongs to all databases, as do notes
      table.writable().put(Keys.PLACES, places);
    }
    all.forEach(notes()::put);
    if (!database.raw()) {
      table.writable().put(Keys.VERSION, new byte[] {database.version()});
      // as numbers below may still be in use by readers
      storeBound();
    }
    counterChanges.cleared(database.counters());
    if (recency != null) {
      recency.clear();
    }
  }

  /**
   * Removes some of what is due, and some of what was left of removed collections: a little at
   * least, and no more once the time is over.
   *
   * @param until a time, by {@link System#nanoTime}
   * @return whether there is more
   */
  public boolean sweep(long until) {
    return new Sweeper(this, database, table.writable()).sweep(until, now);
  }

  /** Removes a key that is due, for the sweeper. */
  void removeDue(byte[] key) {
    remove(key);
    swept++;
  }
}

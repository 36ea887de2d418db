package io.kvstadium.server.value;

import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Kind;
import io.kvstadium.transfer.redis.StreamEntry;
import io.kvstadium.transfer.redis.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream as one request works on it; changes take effect once they are {@link #save saved}. Each
 * entry is an element under its ID. Nothing is read below {@link #floor}, so that what was trimmed
 * need not be gone, and is not stepped over.
 */
public final class StoredStream {
  private static final byte[] ENTRIES = {Keys.STREAM_ENTRY};
  private static final byte[] NAMES = {'n'};

  /** With so many, an engine that can removes a range, in the background. */
  private static final int MANY = 256;

  private final Keyspace keys;
  private final byte[] key;
  private final long expiry;
  private final Elements elements;
  private long count;
  private StreamId last;
  private StreamId maxDeleted;
  private long added;

  /** The number of the last group. */
  private long numbers;

  /** Entries before it are gone. */
  private StreamId floor;

  private @Nullable StreamId first;

  private StoredStream(Keyspace keys, byte[] key, StoredValue storedValue) {
    this.keys = keys;
    this.key = key;
    this.expiry = storedValue.expiry();
    this.elements = storedValue.elements();
    ByteBuffer own = ByteBuffer.wrap(storedValue.part(16, storedValue.length()));
    this.count = elements.count();
    this.last = StreamId.read(own);
    this.maxDeleted = StreamId.read(own);
    this.added = own.getLong();
    this.numbers = own.getLong();
    this.floor = StreamId.read(own);
  }

  private static StoredValue storedValue(
      Elements elements,
      long expiry,
      StreamId last,
      StreamId maxDeleted,
      long added,
      long numbers,
      StreamId floor) {
    ByteBuffer out = ByteBuffer.allocate(StoredValue.STREAM_NUMBERS);
    out.putLong(elements.generation()).putLong(elements.count());
    maxDeleted.put(last.put(out)).putLong(added).putLong(numbers);
    return StoredValue.stream(expiry, floor.put(out).array());
  }

  /** The stream that a key holds, or {@code null}. */
  public static @Nullable StoredStream find(Keyspace keys, byte[] key) {
    StoredValue storedValue = keys.find(key, Kind.STREAM);
    return storedValue == null ? null : new StoredStream(keys, key, storedValue);
  }

  /** The same; also {@code null} if the key holds something else. */
  public static @Nullable StoredStream findAny(Keyspace keys, byte[] key) {
    StoredValue storedValue = keys.head(key);
    return storedValue == null || storedValue.kind() != Kind.STREAM
        ? null
        : new StoredStream(keys, key, storedValue);
  }

  /** The stream that a key holds, or a new one. */
  public static StoredStream findOrMake(Keyspace keys, byte[] key) {
    StoredStream found = find(keys, key);
    return found != null
        ? found
        : new StoredStream(
            keys,
            key,
            storedValue(
                keys.elements().fresh(),
                StoredValue.FOREVER,
                StreamId.MIN,
                StreamId.MIN,
                0,
                0,
                StreamId.MIN));
  }

  Keyspace keys() {
    return keys;
  }

  byte[] key() {
    return key;
  }

  Elements elements() {
    return elements;
  }

  public long count() {
    return count;
  }

  /** The highest ID that it ever had, or that was set. */
  public StreamId last() {
    return last;
  }

  public StreamId maxDeleted() {
    return maxDeleted;
  }

  /** How many entries were ever added. */
  public long added() {
    return added;
  }

  /** Sets what XSETID and RESTORE set. */
  public void set(StreamId newLast, StreamId newMaxDeleted, long newAdded) {
    if (!newLast.isAfter(floor)) {
      settle();
    }
    last = newLast;
    maxDeleted = newMaxDeleted;
    added = newAdded;
  }

  /** Entries may be added below the floor again: what is there must go first. */
  private void settle() {
    removeAll(keysOf(Keys.elements(elements.generation(), ENTRIES).to(element(floor), false)));
    keys.elements().discarded(elements, ENTRIES);
    floor = StreamId.MIN;
  }

  private static byte[] rest(StreamId id) {
    return id.put(ByteBuffer.allocate(1 + StreamId.BYTES).put(Keys.STREAM_ENTRY)).array();
  }

  private byte[] element(StreamId id) {
    return Keys.element(elements.generation(), rest(id));
  }

  /** The entries between two IDs, both included. */
  private Range<byte[]> between(StreamId from, StreamId to) {
    return Keys.elements(elements.generation(), ENTRIES)
        .from(element(from.max(floor)), true)
        .to(element(to), true);
  }

  private List<StreamId> keysOf(Range<byte[]> range) {
    List<StreamId> found = new ArrayList<>();
    try (Walk walk = keys.elements().walk(range.keysOnly())) {
      while (walk.next()) {
        found.add(StreamId.ending(walk.key()));
      }
    }
    return found;
  }

  /** The entries between two IDs, both included, up to a number of them. */
  public List<StreamEntry> range(StreamId from, StreamId to, long max, boolean reversed) {
    List<StreamEntry> found = new ArrayList<>();
    if (count == 0 || from.isAfter(to) || floor.isAfter(to)) {
      return found;
    }
    Range<byte[]> range = between(from, to).limit(max);
    try (Walk walk = keys.elements().walk(reversed ? range.reverse() : range)) {
      while (walk.next()) {
        found.add(new StreamEntry(StreamId.ending(walk.key()), walk.value()));
      }
    }
    return found;
  }

  /** The entries after an ID, up to a number of them. */
  public List<StreamEntry> after(StreamId id, long max) {
    return count > 0 && last.isAfter(id)
        ? keys.elements().first(between(id.next(), StreamId.MAX), max).stream()
            .map(each -> new StreamEntry(StreamId.ending(each.key()), each.value()))
            .toList()
        : List.of();
  }

  public boolean hasAfter(StreamId id) {
    return !after(id, 1).isEmpty();
  }

  /** The entry with an ID; not stored if there is none. */
  public StreamEntry get(StreamId id) {
    return new StreamEntry(id, floor.isAfter(id) ? null : keys.elements().get(elements, rest(id)));
  }

  boolean has(StreamId id) {
    return get(id).stored() != null;
  }

  /** The first entry's ID; of an empty stream {@link StreamId#MIN}. */
  public StreamId first() {
    StreamId known = first;
    if (known == null) {
      List<StreamId> found =
          count == 0 ? List.of() : keysOf(between(StreamId.MIN, StreamId.MAX).limit(1));
      known = found.isEmpty() ? StreamId.MIN : found.getFirst();
      first = known;
    }
    return known;
  }

  /** The highest ID of an entry; of an empty stream {@link StreamId#MIN}. */
  public StreamId top() {
    List<StreamEntry> found = range(StreamId.MIN, StreamId.MAX, 1, true);
    return found.isEmpty() ? StreamId.MIN : found.getFirst().id();
  }

  /** Adds an entry, whose ID must be higher than {@link #last}. */
  public void add(StreamId id, byte[] stored) {
    keys.elements().append(elements, rest(id), stored);
    count++;
    added++;
    last = id;
    first = count == 1 ? id : first;
  }

  /** Removes an entry; returns whether it was there. */
  public boolean remove(StreamId id) {
    if (!has(id)) {
      return false;
    }
    removeAll(List.of(id));
    count--;
    maxDeleted = id.max(maxDeleted);
    return true;
  }

  private void removeAll(List<StreamId> ids) {
    ids.forEach(id -> keys.elements().remove(elements, rest(id)));
    first = null;
  }

  /** How many entries are before an ID; no more than a number of them are counted. */
  public long countBefore(StreamId id, long max) {
    if (count == 0 || !id.isAfter(floor)) {
      return 0;
    }
    long found = 0;
    try (Walk walk =
        keys.elements().walk(between(StreamId.MIN, id.previous()).limit(max).keysOnly())) {
      while (walk.next()) {
        found++;
      }
    }
    return found;
  }

  /** Removes the first entries. */
  public void removeFirst(long many) {
    if (many >= MANY && !last.equals(StreamId.MAX)) { // after which there is no ID
      floor = many == count ? last.next() : at(many);
      keys.elements().discard(elements, rest(floor));
      first = null;
    } else if (many > 0) {
      List<StreamId> found = keysOf(between(StreamId.MIN, StreamId.MAX).limit(many));
      removeAll(found);
      floor = found.isEmpty() ? floor : found.getLast().next();
    }
    count -= many;
  }

  /** The ID of the entry at a position, seen from the nearer end. */
  private StreamId at(long position) {
    Range<byte[]> all = between(StreamId.MIN, StreamId.MAX).keysOnly();
    boolean near = position < count / 2;
    Range<byte[]> part = near ? all.limit(position + 1) : all.reverse().limit(count - position);
    StreamId id = floor;
    try (Walk walk = keys.elements().walk(part)) {
      while (walk.next()) {
        id = StreamId.ending(walk.key());
      }
    }
    return id;
  }

  /** Whether entries were removed among those from an ID on, as far as is known. */
  boolean hasGaps(StreamId from) {
    return count > 0
        && !maxDeleted.equals(StreamId.MIN)
        && !from.isAfter(maxDeleted)
        && !first().isAfter(maxDeleted);
  }

  /** How many entries were added up to an ID, or {@link StreamId#UNKNOWN_POSITION}. */
  public long position(StreamId id) {
    return id.position(count, added, first(), last, maxDeleted);
  }

  private static byte[] named(byte[] group) {
    byte[] rest = new byte[1 + group.length];
    rest[0] = NAMES[0];
    System.arraycopy(group, 0, rest, 1, group.length);
    return rest;
  }

  /** A group, or {@code null}. */
  public @Nullable StreamGroup group(byte[] name) {
    byte[] stored = keys.elements().get(elements, named(name));
    return stored == null ? null : new StreamGroup(this, name, stored);
  }

  /** All groups, in the order of their names. */
  public List<StreamGroup> groups() {
    List<StreamGroup> found = new ArrayList<>();
    try (Walk walk = keys.elements().walk(Keys.elements(elements.generation(), NAMES))) {
      while (walk.next()) {
        byte[] rest = Keys.rest(walk.key());
        found.add(new StreamGroup(this, Arrays.copyOfRange(rest, 1, rest.length), walk.value()));
      }
    }
    return found;
  }

  /** A new group, which must be saved, as this stream must. */
  public StreamGroup makeGroup(byte[] name, StreamId delivered, long read) {
    return new StreamGroup(this, name, ++numbers, delivered, read);
  }

  public void removeGroup(StreamGroup group) {
    keys.elements().remove(elements, named(group.name()));
    keys.elements().discard(elements, group.prefix());
    keys.touch(key); // for those who wait in this group
  }

  public void save(StreamGroup group, byte[] stored) {
    keys.elements().put(elements, named(group.name()), stored);
  }

  /** Writes the stream's numbers. It stays when it is empty. */
  public void save() {
    keys.set(
        key,
        storedValue(elements.counting(count), expiry, last, maxDeleted, added, numbers, floor));
  }
}

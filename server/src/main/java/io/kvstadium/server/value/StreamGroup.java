package io.kvstadium.server.value;

import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group of a stream as one request works on it; changes take effect once they are {@link
 * #save saved}. What was delivered and not acknowledged is stored under its ID, and a second time
 * under its consumer and ID.
 */
public final class StreamGroup {
  private static final byte CONSUMER = 'c';
  private static final byte PENDING = 'p';
  private static final byte OF_CONSUMER = 'q';

  private final StoredStream stream;
  private final Keyspace keys;
  private final Elements elements;
  private final byte[] name;
  private final long number;
  private StreamId delivered;
  private long read;
  private long pending;
  private long consumers;

  /** No ID after this one was ever pending. */
  private StreamId top = StreamId.MIN;

  private final Map<Bytes, Consumer> known = new TreeMap<>();

  /** A consumer. */
  public static final class Consumer {
    private final byte[] name;
    private long seen;
    private long pending;
    private boolean changed;

    private Consumer(byte[] name, long seen, long pending) {
      this.name = name;
      this.seen = seen;
      this.pending = pending;
    }

    public byte[] name() {
      return name;
    }

    /** When it was last seen, in Unix milliseconds. */
    public long seen() {
      return seen;
    }

    public long pending() {
      return pending;
    }
  }

  /**
   * An entry that was delivered and not acknowledged.
   *
   * @param time of the last delivery, in Unix milliseconds
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Pending(StreamId id, byte[] consumer, long time, long deliveries) {}

  /** A new group. */
  StreamGroup(StoredStream stream, byte[] name, long number, StreamId delivered, long read) {
    this.stream = stream;
    this.keys = stream.keys();
    this.elements = stream.elements();
    this.name = name;
    this.number = number;
    this.delivered = delivered;
    this.read = read;
  }

  /** A stored one. */
  StreamGroup(StoredStream stream, byte[] name, byte[] stored) {
    this.stream = stream;
    this.keys = stream.keys();
    this.elements = stream.elements();
    this.name = name;
    ByteBuffer in = ByteBuffer.wrap(stored);
    this.number = in.getLong();
    this.delivered = StreamId.read(in);
    this.read = in.getLong();
    this.pending = in.getLong();
    this.consumers = in.getLong();
    this.top = StreamId.read(in);
  }

  public byte[] name() {
    return name;
  }

  public StoredStream stream() {
    return stream;
  }

  /** The last delivered ID. */
  public StreamId delivered() {
    return delivered;
  }

  /** How many entries up to {@link #delivered} were added, or {@link StreamId#UNKNOWN_POSITION}. */
  public long read() {
    return read;
  }

  public void set(StreamId id, long entriesRead) {
    delivered = id;
    read = entriesRead;
  }

  public long pending() {
    return pending;
  }

  public long consumers() {
    return consumers;
  }

  /**
   * How many entries are still to be delivered, or {@code null} if that is not known; negative
   * where ENTRIESREAD claimed more than there were.
   */
  public @Nullable Long lag() {
    boolean counts = read != StreamId.UNKNOWN_POSITION && !stream.hasGaps(delivered);
    long position = counts ? read : stream.position(delivered);
    if (stream.added() == 0) {
      return 0L;
    }
    return position == StreamId.UNKNOWN_POSITION ? null : Long.valueOf(stream.added() - position);
  }

  /** An entry is delivered for the first time. */
  public void deliver(StreamId id) {
    if (id.isAfter(delivered)) {
      boolean counts = read != StreamId.UNKNOWN_POSITION && !stream.hasGaps(id);
      read = counts ? read + 1 : stream.position(id);
      delivered = id;
    }
  }

  /** What all keys of its elements begin with. */
  byte[] prefix() {
    return ByteBuffer.allocate(9).put((byte) 'g').putLong(number).array();
  }

  private byte[] rest(byte part, byte[] tail) {
    return ByteBuffer.allocate(10 + tail.length)
        .put((byte) 'g')
        .putLong(number)
        .put(part)
        .put(tail)
        .array();
  }

  private byte[] rest(byte[] consumer, byte[] tail) {
    return rest(
        OF_CONSUMER,
        ByteBuffer.allocate(4 + consumer.length + tail.length)
            .putInt(consumer.length)
            .put(consumer)
            .put(tail)
            .array());
  }

  /** A consumer, or {@code null}. */
  public @Nullable Consumer consumer(byte[] of) {
    Bytes key = new Bytes(of);
    Consumer found = known.get(key);
    if (found == null) {
      byte[] stored = keys.elements().get(elements, rest(CONSUMER, of));
      if (stored != null) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        found = new Consumer(of, in.getLong(), in.getLong());
        known.put(key, found);
      }
    }
    return found;
  }

  /** A consumer that is seen now; a new one, if there is none with this name. */
  public Consumer seen(byte[] of, long now) {
    Consumer found = consumer(of);
    if (found == null) {
      keys.notify(stream.key(), "xgroup-createconsumer");
      return make(of, now);
    }
    found.seen = now;
    found.changed = true;
    return found;
  }

  /** Adds a consumer. */
  public Consumer make(byte[] of, long now) {
    Consumer made = new Consumer(of, now, 0);
    made.changed = true;
    known.put(new Bytes(of), made);
    consumers++;
    return made;
  }

  /** All consumers, in the order of their names. */
  public List<Consumer> all() {
    List<Consumer> found = new ArrayList<>();
    try (Walk walk =
        keys.elements().walk(Keys.elements(elements.generation(), rest(CONSUMER, new byte[0])))) {
      while (walk.next()) {
        byte[] rest = Keys.rest(walk.key());
        ByteBuffer in = ByteBuffer.wrap(walk.value());
        found.add(
            new Consumer(Arrays.copyOfRange(rest, 10, rest.length), in.getLong(), in.getLong()));
      }
    }
    return found;
  }

  /** Removes a consumer, and what is pending for it. */
  public void remove(Consumer consumer) {
    each(
        consumer,
        StreamId.MIN,
        StreamId.MAX,
        each -> {
          remove(each);
          return true;
        });
    keys.elements().remove(elements, rest(CONSUMER, consumer.name));
    known.remove(new Bytes(consumer.name));
    consumers--;
  }

  /** What is pending under an ID, or {@code null}. */
  public @Nullable Pending pending(StreamId id) {
    if (id.isAfter(top)) {
      return null;
    }
    byte[] stored = keys.elements().get(elements, rest(PENDING, id.bytes()));
    return stored == null ? null : pending(id, stored);
  }

  private static Pending pending(StreamId id, byte[] stored) {
    ByteBuffer in = ByteBuffer.wrap(stored);
    long time = in.getLong();
    long deliveries = in.getLong();
    return new Pending(id, Arrays.copyOfRange(stored, 16, stored.length), time, deliveries);
  }

  /**
   * Visits what is pending between two IDs, both included.
   *
   * @param of for this consumer; {@code null} for all
   * @param visitor returns whether to continue; may change what it is given
   */
  public void each(@Nullable Consumer of, StreamId from, StreamId to, Predicate<Pending> visitor) {
    byte[] prefix = of == null ? rest(PENDING, new byte[0]) : rest(of.name, new byte[0]);
    if (from.isAfter(to)) {
      return;
    }
    Range<byte[]> range =
        Keys.elements(elements.generation(), prefix)
            .from(element(prefix, from), true)
            .to(element(prefix, to), true);
    try (Walk walk = keys.elements().walk(range)) {
      boolean more = true;
      while (more && walk.next()) {
        StreamId id = StreamId.ending(walk.key());
        Pending found = of == null ? pending(id, walk.value()) : pending(id);
        if (found == null) {
          throw new CorruptException("an entry is pending for a consumer, and not for its group");
        }
        more = visitor.test(found);
      }
    }
  }

  /** The first or the last ID that is pending; {@link StreamId#MIN} if nothing is. */
  public StreamId edge(boolean end) {
    Range<byte[]> all =
        Keys.elements(elements.generation(), rest(PENDING, new byte[0])).limit(1).keysOnly();
    try (Walk walk = keys.elements().walk(end ? all.reverse() : all)) {
      return walk.next() ? StreamId.ending(walk.key()) : StreamId.MIN;
    }
  }

  private byte[] element(byte[] prefix, StreamId id) {
    ByteBuffer rest = ByteBuffer.allocate(prefix.length + StreamId.BYTES).put(prefix);
    return Keys.element(elements.generation(), id.put(rest).array());
  }

  /**
   * Makes an entry pending.
   *
   * @param before as what it is pending already, or {@code null}
   */
  public void put(
      StreamId id, Consumer consumer, long time, long deliveries, @Nullable Pending before) {
    if (before == null || !Arrays.equals(before.consumer(), consumer.name)) {
      if (before != null) {
        remove(before);
      }
      keys.elements().mark(elements, rest(consumer.name, id.bytes()));
      change(consumer, 1);
    }
    byte[] stored =
        ByteBuffer.allocate(16 + consumer.name.length)
            .putLong(time)
            .putLong(deliveries)
            .put(consumer.name)
            .array();
    keys.elements().put(elements, rest(PENDING, id.bytes()), stored);
    top = id.max(top);
  }

  /** An entry is not pending any more. */
  public void remove(Pending entry) {
    Consumer owner = consumer(entry.consumer());
    if (owner == null) {
      throw new CorruptException("an entry is pending for a consumer that does not exist");
    }
    keys.elements().remove(elements, rest(PENDING, entry.id().bytes()));
    keys.elements().remove(elements, rest(owner.name, entry.id().bytes()));
    change(owner, -1);
  }

  private void change(Consumer consumer, int by) {
    consumer.pending += by;
    consumer.changed = true;
    pending += by;
  }

  /** Writes the group's numbers, and those of its consumers that changed. */
  public void save() {
    ByteBuffer out = ByteBuffer.allocate(64).putLong(number);
    delivered.put(out).putLong(read).putLong(pending).putLong(consumers);
    stream.save(this, top.put(out).array());
    for (Consumer each : known.values()) {
      if (each.changed) {
        byte[] stored = ByteBuffer.allocate(16).putLong(each.seen).putLong(each.pending).array();
        keys.elements().put(elements, rest(CONSUMER, each.name), stored);
        each.changed = false;
      }
    }
  }
}

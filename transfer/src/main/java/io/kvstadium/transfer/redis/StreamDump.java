package io.kvstadium.transfer.redis;

import io.kvstadium.transfer.format.ContentSum;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A stream as Redis dumps it: its entries in packs, in which IDs are told by their distance from
 * the first one, and fields only if they are others than the first entry's; then its groups, with
 * what is pending and for whom.
 *
 * @param added how many entries were ever added
 */
public record StreamDump(
    List<StreamEntry> entries,
    StreamId last,
    StreamId first,
    StreamId maxDeleted,
    long added,
    List<Group> groups) {
  /** Redis' own limits for a pack. */
  private static final int MAX_ENTRIES = 100;

  private static final int MAX_BYTES = 4_096;

  private static final int DELETED = 1;
  private static final int SAME_FIELDS = 2;

  /** Stands for the number of read entries in the oldest form, which has none. */
  private static final long TO_BE_FOUND = -2;

  /** A consumer group. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Group(byte[] name, StreamId delivered, long read, List<Consumer> consumers) {
    /** What is pending for all consumers, in order. */
    List<Pending> pending() {
      return consumers.stream()
          .flatMap(each -> each.pending().stream())
          .sorted(Comparator.comparing(Pending::id))
          .toList();
    }
  }

  /** A consumer, with what is pending for it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Consumer(byte[] name, long seen, List<Pending> pending) {}

  /** What is pending, since a time. */
  public record Pending(StreamId id, long time, long deliveries) {}

  void write(Rdb out) {
    List<byte[]> packs = packs();
    out.length(packs.size() / 2);
    packs.forEach(out::string);
    out.length(entries.size()).id(last).id(first).id(maxDeleted).length(added);
    out.length(groups.size());
    for (Group each : groups) {
      out.string(each.name()).id(each.delivered()).length(each.read());
      List<Pending> pending = each.pending();
      out.length(pending.size());
      for (Pending one : pending) {
        out.raw(one.id().bytes()).fixed(one.time()).length(one.deliveries());
      }
      out.length(each.consumers().size());
      for (Consumer one : each.consumers()) {
        out.string(one.name()).fixed(one.seen()).length(one.pending().size());
        one.pending().forEach(found -> out.raw(found.id().bytes()));
      }
    }
  }

  /** The first ID of each pack, and the pack. */
  private List<byte[]> packs() {
    List<byte[]> packs = new ArrayList<>();
    int from = 0;
    while (from < entries.size()) {
      int to = from + 1;
      long bytes = size(entries.get(from));
      while (to < entries.size() && to - from < MAX_ENTRIES && bytes < MAX_BYTES) {
        bytes += size(entries.get(to++));
      }
      packs.add(entries.get(from).id().bytes());
      packs.add(pack(entries.subList(from, to)));
      from = to;
    }
    return packs;
  }

  /** The bytes of its entries. */
  long bytes() {
    return entries.stream().mapToLong(StreamDump::size).sum();
  }

  private static long size(StreamEntry entry) {
    byte[] stored = entry.stored();
    return stored == null ? 0 : stored.length;
  }

  private static byte[] pack(List<StreamEntry> entries) {
    StreamId master = entries.getFirst().id();
    List<byte[]> fields = fields(entries.getFirst().words());
    ListPack pack = new ListPack().integer(entries.size()).integer(0).integer(fields.size());
    fields.forEach(pack::string);
    pack.integer(0);
    for (StreamEntry each : entries) {
      List<byte[]> words = each.words();
      boolean same = Arrays.deepEquals(fields.toArray(), fields(words).toArray());
      pack.integer(same ? SAME_FIELDS : 0);
      pack.integer(each.id().ms() - master.ms()).integer(each.id().seq() - master.seq());
      int size = words.size() / 2;
      if (!same) {
        pack.integer(size);
      }
      for (int i = same ? 1 : 0; i < words.size(); i += same ? 2 : 1) {
        pack.string(words.get(i));
      }
      pack.integer(same ? size + 3 : 2 * size + 4);
    }
    return pack.finish();
  }

  private static List<byte[]> fields(List<byte[]> words) {
    List<byte[]> fields = new ArrayList<>();
    for (int i = 0; i < words.size(); i += 2) {
      fields.add(words.get(i));
    }
    return fields;
  }

  /**
   * Reads what was dumped.
   *
   * @param type {@link Rdb#STREAM} or one of the other forms
   */
  static StreamDump read(RdbInput in, int type) {
    List<StreamEntry> entries = new ArrayList<>();
    long bytes = 0;
    for (int left = in.length(); left > 0; left--) {
      byte[] master = in.string();
      if (master.length != StreamId.BYTES) {
        throw RdbInput.bad();
      }
      bytes = unpack(StreamId.ending(master), RdbReader.listpack(in.packed()), entries, bytes);
    }
    long count = in.unsigned();
    StreamId last = in.id();
    boolean old = type == Rdb.STREAM_5;
    StreamId first = !old ? in.id() : entries.isEmpty() ? StreamId.MIN : entries.getFirst().id();
    StreamId maxDeleted = old ? StreamId.MIN : in.id();
    long added = old ? count : in.unsigned();
    if (count != entries.size()
        || added < count
        || (count > 0 && entries.getLast().id().isAfter(last))) {
      throw RdbInput.bad();
    }
    List<Group> groups = new ArrayList<>();
    Set<ByteBuffer> names = new HashSet<>();
    for (int left = in.length(); left > 0; left--) {
      Group group = group(in, type);
      if (!names.add(ByteBuffer.wrap(group.name()))) {
        throw RdbInput.bad();
      }
      groups.add(group);
    }
    StreamDump dump = new StreamDump(entries, last, first, maxDeleted, added, groups);
    groups.replaceAll(each -> each.read() == TO_BE_FOUND ? dump.found(each) : each);
    return dump;
  }

  private Group found(Group group) {
    StreamId begin = entries.isEmpty() ? StreamId.MIN : entries.getFirst().id();
    long read = group.delivered().position(entries.size(), added, begin, last, maxDeleted);
    return new Group(group.name(), group.delivered(), read, group.consumers());
  }

  /** Adds the entries of a pack, and their bytes to those of the others. */
  private static long unpack(
      StreamId master, List<byte[]> pack, List<StreamEntry> to, long others) {
    long bytes = others;
    Numbered in = new Numbered(pack);
    long left = in.integer() + in.integer(); // with those that are deleted
    List<byte[]> fields = in.words(in.integer());
    in.integer();
    for (; left > 0; left--) {
      long flags = in.integer();
      StreamId id = new StreamId(master.ms() + in.integer(), master.seq() + in.integer());
      List<byte[]> words = new ArrayList<>();
      if ((flags & SAME_FIELDS) != 0) {
        for (byte[] field : fields) {
          words.add(field);
          words.add(in.word());
        }
      } else {
        words.addAll(in.words(2L * (int) in.integer()));
      }
      in.integer(); // how many there were, for reading backwards
      if (!to.isEmpty() && !id.isAfter(to.getLast().id())) {
        throw RdbInput.bad();
      }
      if ((flags & DELETED) == 0) {
        byte[] stored = StreamEntry.stored(words);
        bytes += stored.length;
        to.add(new StreamEntry(id, stored));
      }
      if (bytes > RdbInput.MAX_STRING) {
        throw RdbInput.bad(); // few bytes can stand for many equal names of fields
      }
    }
    in.end();
    return bytes;
  }

  /** The entries of a pack, one after the other. */
  private static final class Numbered {
    private final List<byte[]> all;
    private int at;

    Numbered(List<byte[]> all) {
      this.all = all;
    }

    byte[] word() {
      if (at == all.size()) {
        throw RdbInput.bad();
      }
      return all.get(at++);
    }

    List<byte[]> words(long many) {
      if (many < 0 || many > all.size() - at) {
        throw RdbInput.bad();
      }
      List<byte[]> found = all.subList(at, at + (int) many);
      at += (int) many;
      return found;
    }

    long integer() {
      byte[] text = word();
      long value = Decimal.integer(text, 0);
      if (value == 0 && !(text.length == 1 && text[0] == '0')) {
        throw RdbInput.bad();
      }
      return value;
    }

    void end() {
      if (at != all.size()) {
        throw RdbInput.bad();
      }
    }
  }

  private static Group group(RdbInput in, int type) {
    byte[] name = in.string();
    StreamId delivered = in.id();
    long read = type == Rdb.STREAM_5 ? TO_BE_FOUND : in.unsigned();
    Map<StreamId, Pending> free = new HashMap<>();
    boolean sound = read >= TO_BE_FOUND;
    for (int left = in.length(); left > 0; left--) {
      Pending each = new Pending(rawId(in), in.fixed(), in.unsigned());
      sound &= free.put(each.id(), each) == null;
    }
    List<Consumer> consumers = new ArrayList<>();
    Set<ByteBuffer> names = new HashSet<>();
    for (int left = in.length(); left > 0; left--) {
      byte[] consumer = in.string();
      long seen = in.fixed();
      if (type == Rdb.STREAM_7_2) {
        in.fixed(); // when it was last active
      }
      List<Pending> pending = new ArrayList<>();
      for (int more = in.length(); more > 0; more--) {
        Pending each = free.remove(rawId(in));
        if (each == null) {
          throw RdbInput.bad();
        }
        pending.add(each);
      }
      consumers.add(new Consumer(consumer, seen, pending));
      sound &= names.add(ByteBuffer.wrap(consumer));
    }
    if (!sound || !free.isEmpty()) { // each is pending for one consumer
      throw RdbInput.bad();
    }
    return new Group(name, delivered, read, consumers);
  }

  private static StreamId rawId(RdbInput in) {
    return StreamId.read(ByteBuffer.wrap(in.bytes(StreamId.BYTES)));
  }

  /** Adds everything to a sum, for a key. */
  void addTo(ContentSum.Adder sum, byte[] key) {
    sum.add(key, numbers(last, maxDeleted, added));
    for (StreamEntry each : entries) {
      byte[] stored = each.stored();
      if (stored != null) {
        sum.add(Content.joined(key, each.id().bytes()), stored);
      }
    }
    for (Group each : groups) {
      byte[] group = Content.joined(Content.joined(key, new byte[] {'g'}), each.name());
      sum.add(group, numbers(each.delivered(), StreamId.MIN, each.read()));
      for (Consumer one : each.consumers()) {
        byte[] consumer = Content.joined(group, one.name());
        sum.add(consumer, numbers(StreamId.MIN, StreamId.MIN, one.seen()));
        for (Pending found : one.pending()) {
          sum.add(consumer, numbers(found.id(), new StreamId(found.time(), 0), found.deliveries()));
        }
      }
    }
  }

  private static byte[] numbers(StreamId one, StreamId other, long third) {
    ByteBuffer out = ByteBuffer.allocate(2 * StreamId.BYTES + 8);
    return other.put(one.put(out)).putLong(third).array();
  }
}

package io.kvstadium.server.value;

import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.transfer.redis.Content;
import io.kvstadium.transfer.redis.Kind;
import io.kvstadium.transfer.redis.StreamDump;
import io.kvstadium.transfer.redis.StreamEntry;
import io.kvstadium.transfer.redis.StreamId;
import java.util.ArrayList;
import java.util.List;

/** What keys hold, read as a whole and written as a whole. */
public final class StoredContent {
  private StoredContent() {}

  /**
   * Reads what a key holds.
   *
   * @param storedValue what is stored under the key itself
   */
  public static Content read(Keyspace keys, byte[] key, StoredValue storedValue) {
    List<byte[]> parts = new ArrayList<>();
    switch (storedValue.kind()) {
      case STRING -> parts.add(keys.whole(storedValue).value());
      case LIST -> {
        StoredList list = StoredList.findOrMake(keys, key);
        parts.addAll(list.values(0, list.count() - 1, false));
      }
      case ZSET -> {
        for (Scored each : StoredSortedSet.findOrMake(keys, key).all().reversed()) {
          parts.add(each.member()); // as Redis does, where adding at the end is quickest
          parts.add(Content.score(each.score()));
        }
      }
      case STREAM -> {
        return Content.stream(read(StoredStream.findOrMake(keys, key)));
      }
      case SET -> StoredHash.of(keys, key, Kind.SET).all().forEach(each -> parts.add(each.name()));
      default -> {
        List<Long> expiries = new ArrayList<>();
        StoredHash.of(keys, key, Kind.HASH)
            .each((member, expiry) -> {
              parts.add(member.name());
              parts.add(member.value());
              expiries.add(expiry);
            });
        return Content.hash(parts, expiries);
      }
    }
    return new Content(storedValue.kind(), parts);
  }

  private static StreamDump read(StoredStream stream) {
    List<StreamDump.Group> groups = new ArrayList<>();
    for (StreamGroup each : stream.groups()) {
      groups.add(read(each));
    }
    return new StreamDump(
        stream.range(StreamId.MIN, StreamId.MAX, Long.MAX_VALUE, false),
        stream.last(),
        stream.first(),
        stream.maxDeleted(),
        stream.added(),
        groups);
  }

  private static StreamDump.Group read(StreamGroup group) {
    List<StreamDump.Consumer> consumers = new ArrayList<>();
    for (StreamGroup.Consumer each : group.all()) {
      List<StreamDump.Pending> pending = new ArrayList<>();
      group.each(
          each,
          StreamId.MIN,
          StreamId.MAX,
          one -> pending.add(new StreamDump.Pending(one.id(), one.time(), one.deliveries())));
      consumers.add(new StreamDump.Consumer(each.name(), each.seen(), pending));
    }
    return new StreamDump.Group(group.name(), group.delivered(), group.read(), consumers);
  }

  /**
   * Makes a key hold this, which must hold nothing.
   *
   * @throws ReplyException if a member or a field is there twice
   */
  public static void write(Content content, Keyspace keys, byte[] key, long expiry) {
    Kind kind = content.kind();
    List<byte[]> parts = content.parts();
    StreamDump stream = content.stream();
    switch (kind) {
      case STRING -> keys.set(key, StoredValue.string(parts.getFirst(), expiry));
      case LIST -> {
        StoredList list = StoredList.findOrMake(keys, key);
        parts.forEach(each -> list.push(each, false));
        list.save();
      }
      case SET -> {
        StoredHash set = StoredHash.of(keys, key, Kind.SET);
        parts.forEach(each -> unique(set.add(each)));
        set.save();
      }
      case HASH -> {
        StoredHash hash = StoredHash.of(keys, key, Kind.HASH);
        for (int i = 0; i < parts.size(); i += 2) {
          unique(hash.put(parts.get(i), parts.get(i + 1)));
          if (!content.expiries().isEmpty()) {
            hash.expire(parts.get(i), content.expiries().get(i / 2));
          }
        }
        hash.save();
      }
      case ZSET -> {
        StoredSortedSet set = StoredSortedSet.findOrMake(keys, key);
        for (int i = 0; i < parts.size(); i += 2) {
          unique(set.score(parts.get(i)) == null);
          set.put(parts.get(i), Scored.score(parts.get(i + 1), 0));
        }
        set.save();
      }
      case STREAM -> {
        if (stream != null) {
          write(stream, StoredStream.findOrMake(keys, key));
        }
      }
    }
    if (kind != Kind.STRING && expiry != StoredValue.FOREVER) {
      StoredValue storedValue = keys.entry(key);
      if (storedValue != null) {
        keys.set(key, storedValue.expiring(expiry));
      }
    }
  }

  private static void unique(boolean fresh) {
    if (!fresh) {
      throw ReplyException.error("Bad data format");
    }
  }

  private static void write(StreamDump dump, StoredStream stream) {
    for (StreamEntry each : dump.entries()) {
      byte[] stored = each.stored();
      if (stored != null) {
        stream.add(each.id(), stored);
      }
    }
    stream.set(dump.last(), dump.maxDeleted(), dump.added());
    for (StreamDump.Group each : dump.groups()) {
      StreamGroup group = stream.makeGroup(each.name(), each.delivered(), each.read());
      for (StreamDump.Consumer one : each.consumers()) {
        StreamGroup.Consumer consumer = group.make(one.name(), one.seen());
        for (StreamDump.Pending found : one.pending()) {
          group.put(found.id(), consumer, found.time(), found.deliveries(), null);
        }
      }
      group.save();
    }
    stream.save();
  }
}

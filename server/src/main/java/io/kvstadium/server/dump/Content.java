package io.kvstadium.server.dump;

import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.Kind;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredHash;
import io.kvstadium.server.value.StoredHash.Member;
import io.kvstadium.server.value.StoredList;
import io.kvstadium.server.value.StoredSortedSet;
import io.kvstadium.server.value.StoredStream;
import io.kvstadium.transfer.format.ContentSum;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a key holds, outside of the store.
 *
 * @param parts the string itself; the elements of a list or a set; the fields and values of a hash
 *     in turn; the members and scores of a sorted set in turn, scores as {@link Scored#bytes}
 * @param stream a stream, which has no parts
 */
public record Content(Kind kind, List<byte[]> parts, @Nullable StreamDump stream) {
  private static final byte[] NOTHING = {};

  Content(Kind kind, List<byte[]> parts) {
    this(kind, parts, null);
  }

  /**
   * Reads what a key holds.
   *
   * @param storedValue what is stored under the key itself
   */
  public static Content of(Keyspace keys, byte[] key, StoredValue storedValue) {
    List<byte[]> parts = new ArrayList<>();
    switch (storedValue.kind()) {
      case STRING -> parts.add(storedValue.value());
      case LIST -> {
        StoredList list = StoredList.findOrMake(keys, key);
        parts = list.values(0, list.count() - 1, false);
      }
      case ZSET -> {
        for (Scored each : StoredSortedSet.findOrMake(keys, key).all().reversed()) {
          parts.add(each.member()); // as Redis does, where adding at the end is quickest
          parts.add(Scored.bytes(each.score()));
        }
      }
      case STREAM -> {
        return new Content(Kind.STREAM, parts, StreamDump.of(StoredStream.findOrMake(keys, key)));
      }
      default -> {
        for (Member each : StoredHash.of(keys, key, storedValue.kind()).all()) {
          parts.add(each.name());
          if (storedValue.kind() == Kind.HASH) {
            parts.add(each.value());
          }
        }
      }
    }
    return new Content(storedValue.kind(), parts);
  }

  /** About how many bytes it takes. */
  public long bytes() {
    return parts.stream().mapToLong(each -> each.length).sum()
        + (stream == null ? 0 : stream.bytes());
  }

  /** The payload of DUMP. */
  public byte[] dump() {
    Rdb out;
    switch (kind) {
      case STRING -> out = new Rdb(Rdb.STRING);
      case LIST -> out = new Rdb(Rdb.LIST).length(parts.size());
      case SET -> out = new Rdb(Rdb.SET).length(parts.size());
      case HASH -> out = new Rdb(Rdb.HASH).length(parts.size() / 2);
      case ZSET -> {
        out = new Rdb(Rdb.SORTED_SET).length(parts.size() / 2);
        for (int i = 0; i < parts.size(); i += 2) {
          out.string(parts.get(i)).real(Scored.score(parts.get(i + 1), 0));
        }
        return out.finish();
      }
      default -> out = new Rdb(Rdb.STREAM);
    }
    if (stream != null) {
      stream.write(out);
    }
    parts.forEach(out::string);
    return out.finish();
  }

  /** Makes a key hold this, which must hold nothing. */
  public void store(Keyspace keys, byte[] key, long expiry) {
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
          stream.store(StoredStream.findOrMake(keys, key));
        }
      }
    }
    if (kind != Kind.STRING && expiry != StoredValue.FOREVER) {
      StoredValue storedValue = keys.find(key);
      if (storedValue != null) {
        keys.set(key, storedValue.expiring(expiry));
      }
    }
  }

  private static void unique(boolean fresh) {
    if (!fresh) {
      throw RdbInput.bad();
    }
  }

  /** Adds everything to a sum, so that two keys add the same only if they hold the same. */
  public void addTo(ContentSum.Adder sum, byte[] key, long expiry) {
    byte[] own = joined(number(expiry), key);
    switch (kind) {
      case STRING -> sum.add(own, parts.getFirst());
      case LIST -> {
        for (int i = 0; i < parts.size(); i++) {
          sum.add(joined(own, number(i)), parts.get(i));
        }
      }
      case SET -> parts.forEach(each -> sum.add(joined(own, each), NOTHING));
      case HASH, ZSET -> {
        for (int i = 0; i < parts.size(); i += 2) {
          sum.add(joined(own, parts.get(i)), parts.get(i + 1));
        }
      }
      case STREAM -> {
        if (stream != null) {
          stream.addTo(sum, own);
        }
      }
    }
  }

  private static byte[] number(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  /** Two byte strings, of which the first can be told from the second. */
  static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(4 + first.length + second.length)
        .putInt(first.length)
        .put(first)
        .put(second)
        .array();
  }
}

package io.kvstadium.transfer.redis;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.transfer.format.ContentSum;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a key holds, outside of the store.
 *
 * @param parts the string itself; the elements of a list or a set; the fields and values of a hash
 *     in turn; the members and scores of a sorted set in turn, scores as {@link #score}
 * @param stream a stream, which has no parts
 */
public record Content(Kind kind, List<byte[]> parts, @Nullable StreamDump stream) {
  private static final byte[] NOTHING = {};

  /** Of any kind but a stream. */
  public Content(Kind kind, List<byte[]> parts) {
    this(kind, parts, null);
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
          out.string(parts.get(i)).real(Codec.DOUBLE.decode(parts.get(i + 1)));
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

  /** A score as a part: in the order of its bytes, and -0 as 0. */
  public static byte[] score(double score) {
    return Codec.DOUBLE.encode(score + 0.0);
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

package io.kvstadium.transfer.redis;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.transfer.format.ContentSum;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a key holds, outside of the store.
 *
 * @param parts the string itself; the elements of a list or a set; the fields and values of a hash
 *     in turn; the members and scores of a sorted set in turn, scores as {@link #score}
 * @param expiries when each field of a hash expires, in Unix milliseconds, or {@link
 *     KeySource#FOREVER}; empty if none does
 * @param stream a stream, which has no parts
 */
public record Content(
    Kind kind, List<byte[]> parts, List<Long> expiries, @Nullable StreamDump stream) {
  private static final byte[] NOTHING = {};

  /** Of any kind but a stream, without fields that expire. */
  public Content(Kind kind, List<byte[]> parts) {
    this(kind, parts, List.of(), null);
  }

  /** A hash with fields that expire. */
  public static Content hash(List<byte[]> parts, List<Long> expiries) {
    boolean none = expiries.stream().allMatch(each -> each == KeySource.FOREVER);
    return new Content(Kind.HASH, parts, none ? List.of() : expiries, null);
  }

  /** A stream. */
  public static Content stream(StreamDump stream) {
    return new Content(Kind.STREAM, List.of(), List.of(), stream);
  }

  /** The same without fields that are due; {@code null} if nothing is left. */
  public @Nullable Content at(long now) {
    if (expiries.stream().noneMatch(each -> each <= now)) {
      return this;
    }
    List<byte[]> left = new ArrayList<>();
    List<Long> when = new ArrayList<>();
    for (int i = 0; i < expiries.size(); i++) {
      if (expiries.get(i) > now) {
        left.addAll(parts.subList(2 * i, 2 * i + 2));
        when.add(expiries.get(i));
      }
    }
    return left.isEmpty() ? null : hash(left, when);
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
      case HASH -> {
        if (!expiries.isEmpty()) {
          return dumpExpiring();
        }
        out = new Rdb(Rdb.HASH).length(parts.size() / 2);
      }
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

  /** In the form that Redis 7.4 brought. */
  private byte[] dumpExpiring() {
    long first = Collections.min(expiries);
    Rdb out = new Rdb(Rdb.EXPIRING_HASH).fixed(first).length(expiries.size());
    for (int i = 0; i < expiries.size(); i++) {
      long expiry = expiries.get(i);
      out.length(expiry == KeySource.FOREVER ? 0 : expiry - first + 1);
      out.string(parts.get(2 * i)).string(parts.get(2 * i + 1));
    }
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
          long due = expiries.isEmpty() ? KeySource.FOREVER : expiries.get(i / 2);
          byte[] of = due == KeySource.FOREVER ? own : joined(own, number(due));
          sum.add(joined(of, parts.get(i)), parts.get(i + 1));
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

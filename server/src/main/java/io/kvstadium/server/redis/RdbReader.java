package io.kvstadium.server.redis;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a value in any of the formats that versions of Redis have dumped. */
final class RdbReader {
  private static final int LONGEST = 1 << 29;

  private final ByteBuffer in;

  /**
   * A value.
   *
   * @param parts the string itself; the elements of a list or a set; the fields and values of a
   *     hash in turn; the members and scores of a sorted set in turn, as text
   * @param stream a stream, which has no parts
   */
  record Value(Kind kind, List<byte[]> parts, @Nullable StreamDump stream) {
    Value(Kind kind, List<byte[]> parts) {
      this(kind, parts, null);
    }
  }

  private RdbReader(byte[] body) {
    in = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reads the body of a payload.
   *
   * @throws ReplyException if it has none of these formats
   */
  static Value read(byte[] body) {
    try {
      return new RdbReader(body).value();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw bad();
    }
  }

  static ReplyException bad() {
    return ReplyException.error("Bad data format");
  }

  private Value value() {
    int type = in.get();
    Value value =
        switch (type) {
          case Rdb.STRING -> new Value(Kind.STRING, List.of(string()));
          case Rdb.LIST -> new Value(Kind.LIST, strings(length()));
          case Rdb.SET -> new Value(Kind.SET, strings(length()));
          case Rdb.HASH -> new Value(Kind.HASH, strings(Math.multiplyExact(length(), 2)));
          case Rdb.SORTED_SET_OF_TEXTS, Rdb.SORTED_SET ->
              new Value(Kind.ZSET, scored(length(), type == Rdb.SORTED_SET));
          case 9 -> new Value(Kind.HASH, zipmap(packed()));
          case 10 -> new Value(Kind.LIST, ziplist(packed()));
          case 11 -> new Value(Kind.SET, intset(packed()));
          case 12 -> new Value(Kind.ZSET, ziplist(packed()));
          case 13 -> new Value(Kind.HASH, ziplist(packed()));
          case 14 -> new Value(Kind.LIST, quicklist(false));
          case 16 -> new Value(Kind.HASH, listpack(packed()));
          case 17 -> new Value(Kind.ZSET, listpack(packed()));
          case 18 -> new Value(Kind.LIST, quicklist(true));
          case 20 -> new Value(Kind.SET, listpack(packed()));
          case Rdb.STREAM_5, Rdb.STREAM, Rdb.STREAM_7_2 ->
              new Value(Kind.STREAM, List.of(), StreamDump.read(this, type));
          case 22, 23, 24, 25 ->
              throw ReplyException.error("hashes with fields that expire are not supported");
          default -> throw bad();
        };
    boolean pairs = value.kind() == Kind.HASH || value.kind() == Kind.ZSET;
    boolean empty = value.stream() == null && value.parts().isEmpty();
    if (in.hasRemaining() || empty || (pairs && value.parts().size() % 2 != 0)) {
      throw bad();
    }
    return value;
  }

  private long number() {
    int first = in.get() & 0xff;
    return switch (first >> 6) {
      case 0 -> first;
      case 1 -> (first & 0x3f) << 8 | (in.get() & 0xff);
      case 2 -> {
        ByteBuffer big = in.slice().order(ByteOrder.BIG_ENDIAN);
        in.position(in.position() + (first == 0x81 ? 8 : 4));
        yield first == 0x81 ? big.getLong() : big.getInt() & 0xffffffffL;
      }
      default -> -1 - (first & 0x3f);
    };
  }

  /** A number without a sign. */
  long unsigned() {
    int first = in.get();
    if ((first & 0xc0) == 0xc0) {
      throw bad();
    }
    in.position(in.position() - 1);
    return number();
  }

  /** A number in eight bytes. */
  long fixed() {
    return in.getLong();
  }

  /** An ID of a stream, as two numbers. */
  StreamId id() {
    return new StreamId(unsigned(), unsigned());
  }

  int length() {
    long length = number();
    if (length < 0 || length > LONGEST) {
      throw bad();
    }
    return (int) length;
  }

  byte[] bytes(int length) {
    if (length < 0 || length > in.remaining()) {
      throw bad(); // before anything is allocated for it
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  byte[] string() {
    long length = number();
    return switch ((int) Math.max(length, -5)) {
      case -1 -> Numbers.bytes(in.get());
      case -2 -> Numbers.bytes(in.getShort());
      case -3 -> Numbers.bytes(in.getInt());
      case -4 -> compressed();
      default -> bytes((int) Math.min(length, Integer.MAX_VALUE));
    };
  }

  /** Unpacks LZF: literals, and copies of what came before. */
  private byte[] compressed() {
    int packed = length();
    int unpacked = length();
    ByteBuffer from = ByteBuffer.wrap(bytes(packed));
    if (unpacked > 300L * packed) {
      throw bad(); // more than three bytes can stand for
    }
    byte[] out = new byte[unpacked];
    int at = 0;
    while (from.hasRemaining()) {
      int code = from.get() & 0xff;
      if (code < 32) {
        if (code + 1 > out.length - at) {
          throw bad();
        }
        from.get(out, at, code + 1);
        at += code + 1;
        continue;
      }
      int length = (code >> 5) + 2;
      if (length == 9) {
        length += from.get() & 0xff;
      }
      int source = at - ((code & 31) << 8 | (from.get() & 0xff)) - 1;
      if (source < 0 || length > out.length - at) {
        throw bad();
      }
      for (int i = 0; i < length; i++) { // one by one: it may copy what it has just written
        out[at++] = out[source++];
      }
    }
    if (at != unpacked) {
      throw bad();
    }
    return out;
  }

  private List<byte[]> strings(int count) {
    List<byte[]> strings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      strings.add(string());
    }
    return strings;
  }

  private List<byte[]> scored(int count, boolean binary) {
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(string());
      parts.add(binary ? Bytes.of(Numbers.text(in.getDouble())) : score());
    }
    return parts;
  }

  private byte[] score() {
    int length = in.get() & 0xff;
    return switch (length) {
      case 253 -> Bytes.of("nan");
      case 254 -> Bytes.of("inf");
      case 255 -> Bytes.of("-inf");
      default -> bytes(length);
    };
  }

  /** What was packed into one string. */
  ByteBuffer packed() {
    return ByteBuffer.wrap(string()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private List<byte[]> quicklist(boolean listpacks) {
    List<byte[]> all = new ArrayList<>();
    int count = length();
    for (int i = 0; i < count; i++) {
      boolean plain = listpacks && length() == 1;
      if (plain) {
        all.add(string());
      } else {
        all.addAll(listpacks ? listpack(packed()) : ziplist(packed()));
      }
    }
    return all;
  }

  private static byte[] text(ByteBuffer from, int length) {
    if (length < 0 || length > from.remaining()) {
      throw bad();
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return bytes;
  }

  private static long signed(ByteBuffer from, int size) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value |= (from.get() & 0xffL) << (8 * i);
    }
    int unused = 64 - 8 * size;
    return value << unused >> unused;
  }

  private static List<byte[]> intset(ByteBuffer from) {
    int size = from.getInt();
    int count = from.getInt();
    if ((size != 2 && size != 4 && size != 8) || from.remaining() != (long) size * count) {
      throw bad();
    }
    List<byte[]> numbers = new ArrayList<>();
    while (from.hasRemaining()) {
      numbers.add(Numbers.bytes(signed(from, size)));
    }
    return numbers;
  }

  static List<byte[]> listpack(ByteBuffer from) {
    if (from.getInt() != from.limit()) {
      throw bad();
    }
    from.getShort(); // how many there are, unless they are too many for that
    List<byte[]> entries = new ArrayList<>();
    for (int code = from.get() & 0xff; code != 0xff; code = from.get() & 0xff) {
      int begin = from.position() - 1;
      entries.add(entry(from, code));
      int length = from.position() - begin;
      // an entry is followed by its length, for walking backwards
      int back =
          length < 128
              ? 1
              : length < 16_383 ? 2 : length < 2_097_151 ? 3 : length < 268_435_455 ? 4 : 5;
      from.position(from.position() + back);
    }
    ended(from);
    return entries;
  }

  private static byte[] entry(ByteBuffer from, int code) {
    if (code < 0x80) {
      return Numbers.bytes(code);
    } else if (code < 0xc0) {
      return text(from, code & 0x3f);
    } else if (code < 0xe0) {
      int value = (code & 0x1f) << 8 | (from.get() & 0xff);
      return Numbers.bytes(value << 19 >> 19);
    } else if (code < 0xf0) {
      return text(from, (code & 0x0f) << 8 | (from.get() & 0xff));
    }
    return switch (code) {
      case 0xf0 -> text(from, from.getInt());
      case 0xf1 -> Numbers.bytes(signed(from, 2));
      case 0xf2 -> Numbers.bytes(signed(from, 3));
      case 0xf3 -> Numbers.bytes(signed(from, 4));
      case 0xf4 -> Numbers.bytes(signed(from, 8));
      default -> throw bad();
    };
  }

  private static void ended(ByteBuffer from) {
    if (from.hasRemaining()) {
      throw bad();
    }
  }

  private static List<byte[]> ziplist(ByteBuffer from) {
    if (from.getInt() != from.limit()) {
      throw bad();
    }
    from.getInt(); // where the last entry is
    from.getShort(); // how many there are, unless they are too many for that
    List<byte[]> entries = new ArrayList<>();
    for (int before = from.get() & 0xff; before != 0xff; before = from.get() & 0xff) {
      if (before == 0xfe) {
        from.getInt(); // the length of the entry before
      }
      entries.add(ziplistEntry(from, from.get() & 0xff));
    }
    ended(from);
    return entries;
  }

  private static byte[] ziplistEntry(ByteBuffer from, int code) {
    return switch (code >> 6) {
      case 0 -> text(from, code);
      case 1 -> text(from, (code & 0x3f) << 8 | (from.get() & 0xff));
      case 2 -> text(from, Integer.reverseBytes(from.getInt()));
      default ->
          Numbers.bytes(
              switch (code) {
                case 0xc0 -> signed(from, 2);
                case 0xd0 -> signed(from, 4);
                case 0xe0 -> signed(from, 8);
                case 0xf0 -> signed(from, 3);
                case 0xfe -> signed(from, 1);
                default -> {
                  if (code < 0xf1 || code > 0xfd) {
                    throw bad();
                  }
                  yield code - 0xf1;
                }
              });
    };
  }

  private static List<byte[]> zipmap(ByteBuffer from) {
    from.get(); // how many there are, unless they are too many for that
    List<byte[]> parts = new ArrayList<>();
    for (int code = from.get() & 0xff; code != 0xff; code = from.get() & 0xff) {
      parts.add(text(from, code == 0xfe ? from.getInt() : code));
      int next = from.get() & 0xff;
      int length = next == 0xfe ? from.getInt() : next;
      int unused = from.get() & 0xff;
      parts.add(text(from, length));
      from.position(from.position() + unused);
    }
    ended(from);
    return parts;
  }

  /** The score in a part of a sorted set. */
  static double score(byte[] part) {
    try {
      return Numbers.real(part);
    } catch (ReplyException e) {
      throw ReplyException.error(
          "Bad data format: %s", new String(part, StandardCharsets.US_ASCII));
    }
  }
}

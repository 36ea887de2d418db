package io.kvstadium.transfer.redis;

import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a value in any of the formats that versions of Redis have dumped. */
public final class RdbReader {
  private final RdbInput in;

  /** A value that no key can hold here. It was read up to its end. */
  public static final class LeftOut extends RdbException {
    private static final long serialVersionUID = 1;

    private final String what;

    private LeftOut(String what) {
      super("ERR " + what + " are not supported");
      this.what = what;
    }

    /** What it is, in the plural. */
    public String what() {
      return what;
    }
  }

  /** Values from this input. */
  public RdbReader(RdbInput in) {
    this.in = in;
  }

  /**
   * Reads the body of a payload.
   *
   * @throws RdbException if it has none of these formats
   */
  public static Content read(byte[] body) {
    RdbInput in = new RdbInput(body);
    try {
      Content content = new RdbReader(in).value(in.octet());
      if (in.isAtEnd()) {
        return content;
      }
    } catch (UncheckedIOException e) {
      // it is cut
    }
    throw RdbInput.bad();
  }

  /** The sources of libraries in the body of a payload of FUNCTION DUMP. */
  public static List<byte[]> functions(byte[] body) {
    RdbInput in = new RdbInput(body);
    List<byte[]> sources = new ArrayList<>();
    try {
      while (!in.isAtEnd()) {
        if (in.octet() != Rdb.FUNCTION) {
          throw new RdbException("ERR given type is not a function");
        }
        sources.add(in.string());
      }
      return sources;
    } catch (UncheckedIOException e) {
      throw new RdbException("ERR failed loading functions payload");
    }
  }

  /**
   * Reads a value of a type.
   *
   * @throws LeftOut if no key can hold it here
   * @throws RdbException if it is not in that type's format
   * @throws UncheckedIOException if the input fails or ends within it
   */
  public Content value(int type) {
    try {
      return content(type);
    } catch (BufferUnderflowException | IllegalArgumentException | ArithmeticException e) {
      throw RdbInput.bad();
    }
  }

  private Content content(int type) {
    return switch (type) {
      case Rdb.STRING -> new Content(Kind.STRING, List.of(in.string()));
      case Rdb.LIST -> of(Kind.LIST, strings(in.length()));
      case Rdb.SET -> of(Kind.SET, strings(in.length()));
      case Rdb.HASH -> of(Kind.HASH, strings(2 * in.length()));
      case Rdb.SORTED_SET_OF_TEXTS, Rdb.SORTED_SET ->
          of(Kind.ZSET, scored(in.length(), type == Rdb.SORTED_SET));
      case 7 -> {
        String module = module(in.unsigned());
        skipModule(in);
        throw new LeftOut("values of the module " + module);
      }
      case 9 -> of(Kind.HASH, zipmap(in.packed()));
      case 10 -> of(Kind.LIST, ziplist(in.packed()));
      case 11 -> of(Kind.SET, intset(in.packed()));
      case 12 -> of(Kind.ZSET, withScores(ziplist(in.packed())));
      case 13 -> of(Kind.HASH, ziplist(in.packed()));
      case 14 -> of(Kind.LIST, quicklist(false));
      case Rdb.STREAM_5, Rdb.STREAM, Rdb.STREAM_7_2 -> Content.stream(StreamDump.read(in, type));
      case 16 -> of(Kind.HASH, listpack(in.packed()));
      case 17 -> of(Kind.ZSET, withScores(listpack(in.packed())));
      case 18 -> of(Kind.LIST, quicklist(true));
      case 20 -> of(Kind.SET, listpack(in.packed()));
      case 22, 23, Rdb.EXPIRING_HASH, 25 -> expiringFields(type);
      default -> throw RdbInput.bad();
    };
  }

  private static Content of(Kind kind, List<byte[]> parts) {
    boolean pairs = kind == Kind.HASH || kind == Kind.ZSET;
    if (parts.isEmpty() || (pairs && parts.size() % 2 != 0)) {
      throw RdbInput.bad();
    }
    return new Content(kind, parts);
  }

  /** A hash, of whose fields each comes with its expiry; 22 and 23 were before Redis 7.4.0. */
  private Content expiringFields(int type) {
    long first = type >= Rdb.EXPIRING_HASH ? in.fixed() : 1;
    List<byte[]> parts = new ArrayList<>();
    List<Long> expiries = new ArrayList<>();
    if (type == 23 || type == 25) { // name, value and expiry in turn
      List<byte[]> all = listpack(in.packed());
      for (int i = 0; i + 2 < all.size(); i += 3) {
        parts.addAll(all.subList(i, i + 2));
        expiries.add(expiry(Decimal.integer(all.get(i + 2), -1)));
      }
    } else {
      for (int fields = in.length(); fields > 0; fields--) {
        long left = in.unsigned();
        expiries.add(expiry(left == 0 ? 0 : left + first - 1));
        parts.add(in.string());
        parts.add(in.string());
      }
    }
    if (parts.isEmpty()) {
      throw RdbInput.bad();
    }
    return Content.hash(parts, expiries);
  }

  private static long expiry(long stored) {
    if (stored < 0) {
      throw RdbInput.bad();
    }
    return stored == 0 ? KeySource.FOREVER : stored;
  }

  /** A module's name, of nine characters with six bits each. */
  private static String module(long id) {
    String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    StringBuilder name = new StringBuilder();
    for (int shift = 58; shift >= 10; shift -= 6) {
      name.append(letters.charAt((int) (id >>> shift) & 63));
    }
    return name.toString();
  }

  /** Skips what a module wrote; each part states its kind. */
  public static void skipModule(RdbInput in) {
    for (long kind = in.unsigned(); kind != 0; kind = in.unsigned()) {
      switch ((int) kind) {
        case 1, 2 -> in.unsigned();
        case 3 -> in.small();
        case 4 -> in.fixed();
        case 5 -> in.string();
        default -> throw RdbInput.bad();
      }
    }
  }

  private List<byte[]> strings(int count) {
    List<byte[]> strings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      strings.add(in.string());
    }
    return strings;
  }

  private List<byte[]> scored(int count, boolean binary) {
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(in.string());
      double score = binary ? Double.longBitsToDouble(in.fixed()) : score();
      if (Double.isNaN(score)) {
        throw new RdbException("ERR Bad data format: nan");
      }
      parts.add(Content.score(score));
    }
    return parts;
  }

  private double score() {
    int length = in.octet();
    return switch (length) {
      case 253 -> Double.NaN;
      case 254 -> Double.POSITIVE_INFINITY;
      case 255 -> Double.NEGATIVE_INFINITY;
      default -> score(in.bytes(length));
    };
  }

  private static double score(byte[] text) {
    double score = Decimal.real(text);
    if (Double.isNaN(score)) {
      throw new RdbException("ERR Bad data format: " + new String(text, StandardCharsets.US_ASCII));
    }
    return score;
  }

  /** Members with scores that were texts. */
  private static List<byte[]> withScores(List<byte[]> parts) {
    for (int i = 1; i < parts.size(); i += 2) {
      parts.set(i, Content.score(score(parts.get(i))));
    }
    return parts;
  }

  private List<byte[]> quicklist(boolean listpacks) {
    List<byte[]> all = new ArrayList<>();
    int count = in.length();
    for (int i = 0; i < count; i++) {
      boolean plain = listpacks && in.length() == 1;
      if (plain) {
        all.add(in.string());
      } else {
        all.addAll(listpacks ? listpack(in.packed()) : ziplist(in.packed()));
      }
    }
    return all;
  }

  private static byte[] text(ByteBuffer from, int length) {
    if (length < 0 || length > from.remaining()) {
      throw RdbInput.bad();
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
      throw RdbInput.bad();
    }
    List<byte[]> numbers = new ArrayList<>();
    while (from.hasRemaining()) {
      numbers.add(Decimal.bytes(signed(from, size)));
    }
    return numbers;
  }

  static List<byte[]> listpack(ByteBuffer from) {
    if (from.getInt() != from.limit()) {
      throw RdbInput.bad();
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
      return Decimal.bytes(code);
    } else if (code < 0xc0) {
      return text(from, code & 0x3f);
    } else if (code < 0xe0) {
      int value = (code & 0x1f) << 8 | (from.get() & 0xff);
      return Decimal.bytes(value << 19 >> 19);
    } else if (code < 0xf0) {
      return text(from, (code & 0x0f) << 8 | (from.get() & 0xff));
    }
    return switch (code) {
      case 0xf0 -> text(from, from.getInt());
      case 0xf1 -> Decimal.bytes(signed(from, 2));
      case 0xf2 -> Decimal.bytes(signed(from, 3));
      case 0xf3 -> Decimal.bytes(signed(from, 4));
      case 0xf4 -> Decimal.bytes(signed(from, 8));
      default -> throw RdbInput.bad();
    };
  }

  private static void ended(ByteBuffer from) {
    if (from.hasRemaining()) {
      throw RdbInput.bad();
    }
  }

  private static List<byte[]> ziplist(ByteBuffer from) {
    if (from.getInt() != from.limit()) {
      throw RdbInput.bad();
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
          Decimal.bytes(
              switch (code) {
                case 0xc0 -> signed(from, 2);
                case 0xd0 -> signed(from, 4);
                case 0xe0 -> signed(from, 8);
                case 0xf0 -> signed(from, 3);
                case 0xfe -> signed(from, 1);
                default -> {
                  if (code < 0xf1 || code > 0xfd) {
                    throw RdbInput.bad();
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
}

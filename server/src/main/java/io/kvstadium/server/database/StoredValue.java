package io.kvstadium.server.database;

import io.kvstadium.store.CorruptException;
import io.kvstadium.transfer.redis.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a key holds, as it is stored: a head of one byte (version, whether it expires, kind), the
 * time of expiry if there is one, and then the string, or the few numbers of a collection. {@code
 * docs/internals/server-format.md} is the contract.
 */
public final class StoredValue {
  /** Never expires. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** Bytes that are enough to {@link #read} all but a string's content. */
  static final int LONGEST_HEAD = 9 + 80;

  /** The bytes of a stream's numbers: generation and count, and what is its own. */
  public static final int STREAM_NUMBERS = 80;

  /** The most bytes before a string. */
  static final int BEFORE_STRING = 9;

  private static final int VERSION = 1;
  private static final int EXPIRES = 0x08;
  private static final int KIND = 0x07;

  /** Stands for any string without expiry, where nothing else matters. */
  static final StoredValue PLAIN = string(new byte[0]);

  private final byte[] bytes;
  private final int offset;
  private final int total;
  private final Kind kind;
  private final long expiry;

  private StoredValue(byte[] bytes, int offset, int total, Kind kind, long expiry) {
    this.bytes = bytes;
    this.offset = offset;
    this.total = total;
    this.kind = kind;
    this.expiry = expiry;
  }

  /** A string without expiry. */
  public static StoredValue string(byte[] value) {
    return string(value, FOREVER);
  }

  /**
   * A string.
   *
   * @param expiry Unix time in milliseconds, or {@link #FOREVER}
   */
  public static StoredValue string(byte[] value, long expiry) {
    return of(Kind.STRING, expiry, value, 0);
  }

  /** A stream, whose numbers after generation and count are {@code StoredStream}'s. */
  public static StoredValue stream(long expiry, byte[] numbers) {
    return of(Kind.STREAM, expiry, numbers, 0);
  }

  private static StoredValue of(Kind kind, long expiry, byte[] payload, int from) {
    int head = expiry == FOREVER ? 1 : 9;
    byte[] bytes = new byte[head + payload.length - from];
    bytes[0] = (byte) (VERSION << 4 | (head == 1 ? 0 : EXPIRES) | kind.code());
    if (head > 1) {
      ByteBuffer.wrap(bytes).putLong(1, expiry);
    }
    System.arraycopy(payload, from, bytes, head, payload.length - from);
    return new StoredValue(bytes, head, bytes.length, kind, expiry);
  }

  /**
   * A value of a plain table, which has no head.
   *
   * @param total the whole value's length, of which {@code bytes} may be the beginning
   */
  static StoredValue raw(byte[] bytes, int total) {
    return new StoredValue(bytes, 0, total, Kind.STRING, FOREVER);
  }

  /** A collection, whose elements are stored under the number of its generation. */
  static StoredValue collection(Kind kind, long expiry, Elements elements) {
    byte[] payload = new byte[numbers(kind)];
    ByteBuffer buffer = ByteBuffer.wrap(payload);
    buffer.putLong(elements.generation()).putLong(elements.count());
    if (kind == Kind.LIST) {
      buffer.putLong(elements.first());
    }
    return of(kind, expiry, payload, 0);
  }

  /** The bytes of a collection's numbers. */
  private static int numbers(Kind kind) {
    return switch (kind) {
      case LIST -> 24;
      case STREAM -> STREAM_NUMBERS;
      default -> 16;
    };
  }

  /**
   * Parses what was stored.
   *
   * @param total the length of what was stored: {@code bytes} may be only the beginning of a long
   *     string
   * @throws CorruptException if it has another form
   */
  public static StoredValue read(byte[] bytes, int total) {
    int head = bytes.length == 0 ? 0 : bytes[0];
    boolean expires = (head & EXPIRES) != 0;
    int offset = expires ? 9 : 1;
    if (head >> 4 != VERSION || !Kind.is(head & KIND) || bytes.length < offset) {
      throw new CorruptException(
          "a value is not in the form of this server's databases (its first byte is "
              + head
              + "): was it written by something else, or by a newer version?");
    }
    Kind kind = Kind.of(head & KIND);
    if (kind != Kind.STRING && total != offset + numbers(kind)) {
      throw new CorruptException("a collection's numbers take " + total + " bytes");
    }
    long expiry = expires ? ByteBuffer.wrap(bytes).getLong(1) : FOREVER;
    return new StoredValue(bytes, offset, total, kind, expiry);
  }

  /** Whether what is stored with this first byte is a string without expiry. */
  static boolean isPlain(int first) {
    return first == (VERSION << 4 | Kind.STRING.code());
  }

  public Kind kind() {
    return kind;
  }

  /** Unix time in milliseconds, or {@link #FOREVER}. */
  public long expiry() {
    return expiry;
  }

  /** Returns a copy with another expiry. */
  public StoredValue expiring(long when) {
    return when == expiry ? this : of(kind, when, stored(), offset);
  }

  /** Returns a copy of a collection whose elements are elsewhere. */
  public StoredValue at(long generation) {
    byte[] payload = value();
    ByteBuffer.wrap(payload).putLong(generation);
    return of(kind, expiry, payload, 0);
  }

  /** Its stored form, all of which must have been read. It must not be changed. */
  public byte[] stored() {
    if (bytes.length != total) {
      throw new IllegalStateException("only the beginning of a string was read");
    }
    return bytes;
  }

  /** Where the string begins in {@link #stored}. */
  public int offset() {
    return offset;
  }

  /** The length of the string in bytes. */
  public int length() {
    return total - offset;
  }

  /** The length of the stored form in bytes. */
  public int storedLength() {
    return total;
  }

  /** A copy of the string. */
  public byte[] value() {
    return offset == 0 ? stored() : part(0, length());
  }

  /** A copy of a part of the string, all of which must have been read. */
  public byte[] part(int from, int to) {
    if (offset + to > bytes.length) {
      throw new IllegalStateException("only the beginning of a string was read");
    }
    return Arrays.copyOfRange(bytes, offset + from, offset + to);
  }

  /** The elements of a collection. */
  public Elements elements() {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
    return new Elements(
        buffer.getLong(), buffer.getLong(), kind == Kind.LIST ? buffer.getLong() : 0);
  }

  /**
   * Where a collection's elements are.
   *
   * @param generation a number that no other collection of its database has or had
   * @param count how many there are
   * @param first the index of a list's first element; the others follow without gaps
   */
  public record Elements(long generation, long count, long first) {
    public Elements counting(long changed) {
      return new Elements(generation, changed, first);
    }
  }
}

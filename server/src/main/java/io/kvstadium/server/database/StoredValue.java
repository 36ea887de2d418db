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

  /** Stands in the place of a kind: a string whose content is in {@link Fragments}. */
  private static final int IN_FRAGMENTS = 6;

  /** Stands in the place of a kind: a hash with {@link FieldExpiries}. */
  private static final int EXPIRING_FIELDS = 7;

  /** Stands for any string without expiry, where nothing else matters. */
  static final StoredValue PLAIN = string(new byte[0]);

  private final byte[] bytes;
  private final int offset;
  private final int total;
  private final int code;
  private final long expiry;

  private StoredValue(byte[] bytes, int offset, int total, int code, long expiry) {
    this.bytes = bytes;
    this.offset = offset;
    this.total = total;
    this.code = code;
    this.expiry = expiry;
  }

  /** A string without expiry. */
  public static StoredValue string(byte[] value) {
    return string(value, FOREVER);
  }

  /**
   * A string. The array of a long one must not be changed afterwards.
   *
   * @param expiry Unix time in milliseconds, or {@link #FOREVER}
   */
  public static StoredValue string(byte[] value, long expiry) {
    return value.length > Fragments.MAX_WHOLE
        ? new StoredValue(value, 0, value.length, Kind.STRING.code(), expiry)
        : of(Kind.STRING.code(), expiry, value, 0);
  }

  /** A string whose content is in {@link Fragments}: its length is the count of the elements. */
  public static StoredValue inFragments(long expiry, Elements elements) {
    return of(IN_FRAGMENTS, expiry, numbers(IN_FRAGMENTS, elements), 0);
  }

  /** A stream, whose numbers after generation and count are {@code StoredStream}'s. */
  public static StoredValue stream(long expiry, byte[] numbers) {
    return of(Kind.STREAM.code(), expiry, numbers, 0);
  }

  private static StoredValue of(int code, long expiry, byte[] payload, int from) {
    int head = expiry == FOREVER ? 1 : 9;
    byte[] bytes = new byte[head + payload.length - from];
    bytes[0] = (byte) (VERSION << 4 | (head == 1 ? 0 : EXPIRES) | code);
    if (head > 1) {
      ByteBuffer.wrap(bytes).putLong(1, expiry);
    }
    System.arraycopy(payload, from, bytes, head, payload.length - from);
    return new StoredValue(bytes, head, bytes.length, code, expiry);
  }

  /**
   * A value of a plain table, which has no head.
   *
   * @param total the whole value's length, of which {@code bytes} may be the beginning
   */
  static StoredValue raw(byte[] bytes, int total) {
    return new StoredValue(bytes, 0, total, Kind.STRING.code(), FOREVER);
  }

  /** A collection, whose elements are stored under the number of its generation. */
  static StoredValue collection(Kind kind, long expiry, Elements elements) {
    int code = elements.nextExpiry() == FOREVER ? kind.code() : EXPIRING_FIELDS;
    return of(code, expiry, numbers(code, elements), 0);
  }

  private static byte[] numbers(int code, Elements elements) {
    ByteBuffer payload = ByteBuffer.allocate(numbers(code));
    payload.putLong(elements.generation()).putLong(elements.count());
    if (payload.hasRemaining()) {
      payload.putLong(elements.first());
    }
    if (payload.hasRemaining()) {
      payload.putLong(elements.nextExpiry());
    }
    return payload.array();
  }

  /** The bytes of the numbers of what has elements. */
  private static int numbers(int code) {
    if (code == EXPIRING_FIELDS) {
      return 32;
    }
    return code == Kind.STREAM.code() ? STREAM_NUMBERS : code == Kind.LIST.code() ? 24 : 16;
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
    int code = head & KIND;
    if (head >> 4 != VERSION || bytes.length < offset) {
      throw new CorruptException(
          "a value is not in the form of this server's databases (its first byte is "
              + head
              + "): was it written by something else, or by a newer version?");
    }
    long expiry = expires ? ByteBuffer.wrap(bytes).getLong(1) : FOREVER;
    StoredValue read = new StoredValue(bytes, offset, total, code, expiry);
    if (read.hasElements() && total != offset + numbers(code)) {
      throw new CorruptException("a collection's numbers take " + total + " bytes");
    }
    return read;
  }

  /** Whether what is stored with this first byte is a string without expiry. */
  static boolean isPlain(int first) {
    return first == (VERSION << 4 | Kind.STRING.code());
  }

  public Kind kind() {
    return switch (code) {
      case IN_FRAGMENTS -> Kind.STRING;
      case EXPIRING_FIELDS -> Kind.HASH;
      default -> Kind.of(code);
    };
  }

  /** Whether it is a string whose content is elsewhere, in {@link Fragments}. */
  public boolean inFragments() {
    return code == IN_FRAGMENTS;
  }

  /** Whether older servers cannot read it. */
  boolean isOfVersion2() {
    return code >= IN_FRAGMENTS;
  }

  /** Whether it is a hash some of whose fields expire. */
  public boolean hasFieldExpiries() {
    return code == EXPIRING_FIELDS;
  }

  /** Whether it has {@link #elements}, as collections have, and strings in fragments. */
  public boolean hasElements() {
    return code != Kind.STRING.code();
  }

  /** Unix time in milliseconds, or {@link #FOREVER}. */
  public long expiry() {
    return expiry;
  }

  /** Returns a copy with another expiry. */
  public StoredValue expiring(long when) {
    return when == expiry ? this : of(code, when, bytes(), offset);
  }

  /** Returns a copy of what has elements, which are elsewhere. */
  public StoredValue at(Elements others) {
    byte[] payload = Arrays.copyOfRange(bytes, offset, total);
    ByteBuffer.wrap(payload).putLong(others.generation());
    if (hasFieldExpiries()) {
      ByteBuffer.wrap(payload).putLong(16, others.first());
    }
    return of(code, expiry, payload, 0);
  }

  /** Its stored form, all of which must have been read. It must not be changed. */
  byte[] stored() {
    return offset == 0 ? of(code, expiry, bytes(), 0).bytes : bytes();
  }

  /** What was read, all of which must have been: the string is at its {@link #offset}. */
  public byte[] bytes() {
    if (bytes.length != total) {
      throw new IllegalStateException("only the beginning of a string was read");
    }
    return bytes;
  }

  /** Where the string begins in {@link #bytes}. */
  public int offset() {
    return offset;
  }

  /** The length of the string in bytes. */
  public int length() {
    return inFragments() ? (int) elements().count() : total - offset;
  }

  /** The length of the stored form in bytes. */
  public int storedLength() {
    return total;
  }

  /** The string, which must not be changed. */
  public byte[] value() {
    return offset == 0 ? bytes() : part(0, length());
  }

  /** A copy of a part of the string, all of which must have been read. */
  public byte[] part(int from, int to) {
    if (inFragments() || offset + to > bytes.length) {
      throw new IllegalStateException("only the beginning of a string was read");
    }
    return Arrays.copyOfRange(bytes, offset + from, offset + to);
  }

  /** The elements of a collection. */
  public Elements elements() {
    ByteBuffer numbers = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
    return new Elements(
        numbers.getLong(),
        numbers.getLong(),
        numbers.hasRemaining() ? numbers.getLong() : 0,
        hasFieldExpiries() ? numbers.getLong() : FOREVER);
  }

  /**
   * Where a collection's elements are.
   *
   * @param generation a number that no other collection of its database has or had
   * @param count how many there are; of a string in fragments its length
   * @param first the index of a list's first element; the others follow without gaps; of a hash the
   *     generation of its {@link FieldExpiries}
   * @param nextExpiry when the first field of a hash expires, or {@link #FOREVER}
   */
  public record Elements(long generation, long count, long first, long nextExpiry) {
    public Elements(long generation, long count, long first) {
      this(generation, count, first, FOREVER);
    }

    public Elements counting(long changed) {
      return new Elements(generation, changed, first, nextExpiry);
    }

    /** With fields that expire. */
    public Elements expiring(long expiries, long next) {
      return new Elements(generation, count, expiries, next);
    }
  }
}

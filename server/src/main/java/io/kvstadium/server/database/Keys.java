package io.kvstadium.server.database;

import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.store.Range;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The layout of a database's table: keys begin with a byte that says what they are. {@code
 * docs/internals/server-format.md} is the contract.
 */
public final class Keys {
  static final byte KEY = 'k';
  private static final byte ELEMENT = 'e';

  /** What describes the database. */
  static final byte META = 'm';

  private static final byte EXPIRY = 'x';
  private static final byte FIELD_EXPIRY = 'f';
  private static final byte GARBAGE = 'g';

  /** What the elements that are a stream's entries begin with; their ID follows. */
  public static final byte STREAM_ENTRY = 'i';

  static final byte[] VERSION = {'m', 'v'};
  static final byte[] COUNT = {'m', 'n'};
  static final byte[] GENERATION = {'m', 'g'};

  /** The table of each database, once databases have been swapped; stored in the first table. */
  static final byte[] PLACES = {'m', 's'};

  /** What else is stored about the databases, in the first table. */
  private static final String NOTE = "mf";

  private Keys() {}

  /** The key of one of the {@link Notes}. */
  static byte[] note(String name) {
    return Bytes.of(NOTE + name);
  }

  static String noteName(byte[] key) {
    return Bytes.text(key).substring(NOTE.length());
  }

  static byte[] key(byte[] name) {
    return prefixed(KEY, name);
  }

  private static byte[] prefixed(byte prefix, byte[] rest) {
    byte[] key = new byte[rest.length + 1];
    key[0] = prefix;
    System.arraycopy(rest, 0, key, 1, rest.length);
    return key;
  }

  /** A key without its first byte. */
  static byte[] name(byte[] key) {
    return Arrays.copyOfRange(key, 1, key.length);
  }

  /** All keys with this prefix. */
  static Range<byte[]> names(byte[] prefix) {
    return Range.prefix(key(prefix));
  }

  private static byte[] numbered(byte prefix, long number, byte[] rest) {
    byte[] key = new byte[9 + rest.length];
    ByteBuffer.wrap(key).put(prefix).putLong(number).put(rest);
    return key;
  }

  private static final byte[] NOTHING = {};

  /** A collection's element. */
  public static byte[] element(long generation, byte[] rest) {
    return numbered(ELEMENT, generation, rest);
  }

  /** All elements of a collection whose keys continue with these bytes. */
  public static Range<byte[]> elements(long generation, byte[] rest) {
    return Range.prefix(element(generation, rest));
  }

  public static Range<byte[]> elements(long generation) {
    return elements(generation, NOTHING);
  }

  /** An element's key after the generation. */
  public static byte[] rest(byte[] element) {
    return Arrays.copyOfRange(element, 9, element.length);
  }

  /** A key's place in the order of expiry. */
  static byte[] expiry(long when, byte[] name) {
    return numbered(EXPIRY, when, name);
  }

  /** The places of everything that expires. */
  static Range<byte[]> expiries() {
    return Range.prefix(new byte[] {EXPIRY});
  }

  /** The place of a hash with fields that expire in the order of their first expiry. */
  static byte[] fieldExpiry(long when, byte[] name) {
    return numbered(FIELD_EXPIRY, when, name);
  }

  /** The places of all hashes with fields that expire. */
  static Range<byte[]> fieldExpiries() {
    return Range.prefix(new byte[] {FIELD_EXPIRY});
  }

  /** The places of everything that is due. */
  static Range<byte[]> due(long now) {
    return expiries().to(numbered(EXPIRY, now + 1, NOTHING), false);
  }

  /**
   * Says that elements of a collection are not needed any more.
   *
   * @param rest how they continue; of a stream's entry: they are before it
   */
  static byte[] garbage(long generation, byte[] rest) {
    return numbered(GARBAGE, generation, rest);
  }

  static byte[] garbage(long generation) {
    return garbage(generation, NOTHING);
  }

  /** What is not needed any more. */
  static Range<byte[]> discarded(byte[] garbage) {
    byte[] rest = rest(garbage);
    if (rest.length > 1 && rest[0] == STREAM_ENTRY) {
      return elements(number(garbage), new byte[] {STREAM_ENTRY})
          .to(element(number(garbage), rest), false);
    }
    return elements(number(garbage), rest);
  }

  static Range<byte[]> garbage() {
    return Range.prefix(new byte[] {GARBAGE});
  }

  /** The number in a key that has one. */
  static long number(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }
}

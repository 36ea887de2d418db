package io.kvstadium.engine.mvstore;

import io.kvstadium.store.spi.LongKeys;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.ObjectDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * A type of keys or values that another program's map has, read as bytes: text as UTF-8, whole
 * numbers as {@link io.kvstadium.store.Codec#LONG} has them. Keys are compared as that program's
 * type does, so that they are found in its order.
 */
final class AdoptedType extends BasicDataType<byte[]> {
  // the first bytes of what ObjectDataType writes; others, such as serialized Java objects, must
  // not be read at all
  private static final int INT = 4;
  private static final int LONG = 5;
  private static final int STRING = 11;
  private static final int ARRAY = 14;
  private static final int ARRAY_OF_BYTES = 1; // follows the beginning of an array
  private static final int NEGATIVE_INT = 33;
  private static final int LONG_OF_EIGHT_BYTES = 36;
  private static final int INT_0 = 64;
  private static final int STRING_0 = 88;
  private static final int BYTES_0 = 104;
  private static final int BEYOND = 120;

  /** The type with which a program opened its map. */
  enum Form {
    /** {@link ByteArrayDataType}. */
    BYTES,
    /** {@link StringDataType}. */
    STRING,
    /** {@link LongDataType}. */
    LONG,
    /** {@link ObjectDataType}, the type if none is given: strings, byte arrays or whole numbers. */
    OBJECT
  }

  /** What the bytes are to the program. */
  enum Kind {
    BYTES,
    TEXT,
    NUMBER
  }

  private final Form form;
  private final ObjectDataType objects = new ObjectDataType();

  /** The kind of all objects in the map; settled by the first one read. */
  private volatile @Nullable Kind kind;

  private volatile @Nullable Class<?> type;

  AdoptedType(Form form) {
    this.form = form;
    this.kind =
        switch (form) {
          case BYTES -> Kind.BYTES;
          case STRING -> Kind.TEXT;
          case LONG -> Kind.NUMBER;
          case OBJECT -> null;
        };
  }

  /** Returns the kind that was given or read; {@code null} if neither happened. */
  @Nullable Kind kind() {
    return kind;
  }

  @Override
  public byte[] read(ByteBuffer buffer) {
    return switch (form) {
      case BYTES -> ByteArrayDataType.INSTANCE.read(buffer);
      case STRING -> bytes(StringDataType.INSTANCE.read(buffer));
      case LONG -> LongKeys.encode(DataUtils.readVarLong(buffer));
      case OBJECT -> readObject(buffer);
    };
  }

  private byte[] readObject(ByteBuffer buffer) {
    int tag = buffer.get(buffer.position());
    boolean number =
        tag == INT
            || tag == LONG
            || (tag >= NEGATIVE_INT && tag <= LONG_OF_EIGHT_BYTES)
            || (tag >= INT_0 && tag < STRING_0);
    boolean bytes =
        (tag >= BYTES_0 && tag < BEYOND)
            || (tag == ARRAY && buffer.get(buffer.position() + 1) == ARRAY_OF_BYTES);
    if (!number && !bytes && tag != STRING && (tag < STRING_0 || tag >= BYTES_0)) {
      throw other("what begins with " + tag + " is not a string, byte array or whole number");
    }
    Object read = objects.read(buffer);
    Class<?> known = type;
    if (known == null) {
      type = read.getClass();
      kind = number ? Kind.NUMBER : bytes ? Kind.BYTES : Kind.TEXT;
    } else if (!known.equals(read.getClass())) {
      throw other("there are both " + known.getName() + " and " + read.getClass().getName());
    }
    return switch (read) {
      case String text -> bytes(text);
      case byte[] array -> array;
      case Number whole -> LongKeys.encode(whole.longValue());
      default -> throw other("there is a " + read.getClass().getName());
    };
  }

  /** A string without a UTF-8 form, such as half a character, must not become another one. */
  private static byte[] bytes(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw other("a string is not valid Unicode");
    }
  }

  private static MVStoreException other(String what) {
    return DataUtils.newMVStoreException(DataUtils.ERROR_FILE_CORRUPT, "{0}", what);
  }

  @Override
  public int compare(byte[] a, byte[] b) {
    int order = 0;
    if (kind == Kind.TEXT) {
      order =
          new String(a, StandardCharsets.UTF_8).compareTo(new String(b, StandardCharsets.UTF_8));
    } else if (kind == Kind.BYTES && form == Form.OBJECT) {
      order = objects.compare(a, b);
    }
    return order != 0 ? order : Arrays.compareUnsigned(a, b); // no two are the same
  }

  @Override
  public int getMemory(byte[] bytes) {
    return ByteArrayDataType.INSTANCE.getMemory(bytes);
  }

  @Override
  public byte[][] createStorage(int size) {
    return new byte[size][];
  }

  @Override
  public void write(WriteBuffer buffer, byte[] bytes) {
    throw new UnsupportedOperationException("an adopted map is only read");
  }
}

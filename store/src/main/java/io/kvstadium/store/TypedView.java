package io.kvstadium.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reading half: converts what goes in and what comes out of a {@link TableReader}. */
final class TypedView<K, V> implements TypedReader<K, V> {
  private final TableReader table;
  private final Codec<K> keys;
  private final Codec<V> values;

  TypedView(TableReader table, Codec<K> keys, Codec<V> values) {
    this.table = table;
    this.keys = keys;
    this.values = values;
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public @Nullable V get(K key) {
    byte[] encoded = keys.encode(key);
    return decodeIfThere(encoded, table.get(encoded));
  }

  @Override
  public V getOrDefault(K key, V fallback) {
    V value = get(key);
    return value == null ? fallback : value;
  }

  @Override
  public List<@Nullable V> getAll(List<K> wanted) {
    List<byte[]> encoded = encode(wanted);
    return decode(encoded, table.getAll(encoded));
  }

  @Override
  public List<@Nullable V> getAll(List<K> wanted, int parallelism) {
    List<byte[]> encoded = encode(wanted);
    return decode(encoded, table.getAll(encoded, parallelism));
  }

  private List<byte[]> encode(List<K> wanted) {
    List<byte[]> encoded = new ArrayList<>(wanted.size());
    for (K key : wanted) {
      encoded.add(keys.encode(key));
    }
    return encoded;
  }

  private List<@Nullable V> decode(List<byte[]> encoded, List<byte @Nullable []> found) {
    List<@Nullable V> decoded = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      decoded.add(decodeIfThere(encoded.get(i), found.get(i)));
    }
    return decoded;
  }

  @Override
  public boolean exists(K key) {
    return table.exists(keys.encode(key));
  }

  @Override
  public boolean mayExist(K key) {
    return table.mayExist(keys.encode(key));
  }

  @Override
  public TypedCursor<K, V> scan(TypedRange<K> range) {
    return new TypedCursor<>(table.scan(range.encode(keys)), this);
  }

  @Override
  public long count() {
    return table.count();
  }

  K decodeKey(byte[] bytes) {
    try {
      return keys.decode(bytes);
    } catch (CorruptException e) {
      throw new CorruptException(
          "table '" + name() + "' has a key that cannot be read: " + e.getMessage(), e);
    }
  }

  /** The value of bytes; the key, for an error's message, is asked for only then. */
  V decodeValue(Supplier<byte[]> key, byte[] bytes) {
    try {
      return values.decode(bytes);
    } catch (CorruptException e) {
      throw new CorruptException(
          "table '"
              + name()
              + "' has a value that cannot be read, at key "
              + Hex.of(key.get())
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private @Nullable V decodeIfThere(byte[] key, byte @Nullable [] value) {
    return value == null ? null : decodeValue(() -> key, value);
  }
}

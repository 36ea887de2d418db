package io.kvstadium.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reading half: converts what goes in and what comes out of a {@link TableReader}. */
final class TypedView<K, V> implements TypedReader<K, V> {
  private final TableReader table;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final boolean lends;

  TypedView(TableReader table, Codec<K> keys, Codec<V> values) {
    this.table = table;
    this.keys = keys;
    this.values = values;
    this.lends = values.decodesLent();
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public @Nullable V get(K key) {
    byte[] encoded = encode(table, "key", keys, key);
    if (!lends) {
      return decodeIfThere(encoded, table.get(encoded));
    }
    return table.get(
        encoded,
        lent -> {
          try {
            return values.decode(lent);
          } catch (CorruptException e) {
            throw unreadable(encoded, e);
          }
        });
  }

  @Override
  public <R> @Nullable R get(K key, ValueReader<R> lent) {
    return table.get(encode(table, "key", keys, key), lent);
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

  /** The bytes of a key or value, which codecs need not expect to be null. */
  static <T> byte[] encode(Object table, String what, Codec<T> codec, T part) {
    if (part == null) {
      throw new BadArgumentException(table + ": the " + what + " is null, which cannot be encoded");
    }
    return codec.encode(part);
  }

  private List<byte[]> encode(List<K> wanted) {
    List<byte[]> encoded = new ArrayList<>(Arguments.given(table, "list of keys", wanted).size());
    for (K key : wanted) {
      encoded.add(encode(table, "key", keys, key));
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
    return table.exists(encode(table, "key", keys, key));
  }

  @Override
  public TypedCursor<K, V> scan(TypedRange<K> range) {
    return new TypedCursor<>(table.scan(encode(range)), this);
  }

  @Override
  public Map.@Nullable Entry<K, V> first(TypedRange<K> range) {
    Entry entry = table.first(encode(range));
    return entry == null ? null : decode(entry);
  }

  @Override
  public Map.@Nullable Entry<K, V> last(TypedRange<K> range) {
    Entry entry = table.last(encode(range));
    return entry == null ? null : decode(entry);
  }

  Map.Entry<K, V> decode(Entry entry) {
    return Map.entry(decodeKey(entry.key()), decodeValue(entry::key, entry.value()));
  }

  private Range encode(TypedRange<K> range) {
    return Arguments.given(table, "range", range).encode(keys);
  }

  /** The bytes of a key that stands for a place in the order. */
  byte[] bound(K key) {
    return TypedRange.bound(keys, key);
  }

  @Override
  public long count() {
    return table.count();
  }

  @Override
  public long count(TypedRange<K> range) {
    return table.count(encode(range));
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
      throw unreadable(key.get(), e);
    }
  }

  private CorruptException unreadable(byte[] key, CorruptException e) {
    return new CorruptException(
        "table '"
            + name()
            + "' has a value that cannot be read, at key "
            + Hex.of(key)
            + ": "
            + e.getMessage(),
        e);
  }

  private @Nullable V decodeIfThere(byte[] key, byte @Nullable [] value) {
    return value == null ? null : decodeValue(() -> key, value);
  }
}

package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TypedCursor;
import io.kvstadium.store.TypedRange;
import io.kvstadium.store.TypedReader;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reading half: converts what goes in and what comes out of a {@link TableReader}. */
public final class TypedView<K, V> implements TypedReader<K, V> {
  private final TableReader table;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final boolean lends;

  public TypedView(TableReader table, Codec<K> keys, Codec<V> values) {
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
            return decoded(values, values.decode(lent));
          } catch (RuntimeException e) {
            throw unreadable("value", encoded, e);
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

  /** The bytes of a key or value, which codecs need not expect to be null. */
  public static <T> byte[] encode(Object table, String what, Codec<T> codec, T part) {
    try {
      if (part == null) {
        throw new BadArgumentException(
            table + ": the " + what + " is null, which cannot be encoded");
      }
      return codec.encode(part);
    } catch (StadiumException e) {
      throw Callee.failed(table, e);
    } catch (RuntimeException e) {
      throw Callee.failed(
          table,
          new BadArgumentException(
              table + ": the " + what + " cannot be encoded by " + codec + ": " + e, e));
    }
  }

  /** The bounds of a range, which not every codec can express. */
  public static <T> Range encode(Object table, Codec<T> keys, TypedRange<T> range) {
    Arguments.given(table, "range", range);
    try {
      return range.encode(keys);
    } catch (StadiumException e) {
      throw Callee.failed(table, e);
    }
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

  public Map.Entry<K, V> decode(Entry entry) {
    return Map.entry(decodeKey(entry.key()), decodeValue(entry::key, entry.value()));
  }

  private Range encode(TypedRange<K> range) {
    return encode(table, keys, range);
  }

  /** The bytes of a key that stands for a place in the order. */
  public byte[] bound(K key) {
    try {
      return TypedRange.bound(keys, key);
    } catch (StadiumException e) {
      throw Callee.failed(table, e);
    }
  }

  @Override
  public long count() {
    return table.count();
  }

  @Override
  public long count(TypedRange<K> range) {
    return table.count(encode(range));
  }

  public K decodeKey(byte[] bytes) {
    try {
      return decoded(keys, keys.decode(bytes));
    } catch (RuntimeException e) {
      throw unreadable("key", bytes, e);
    }
  }

  /** The value of bytes; the key, for an error's message, is asked for only then. */
  public V decodeValue(Supplier<byte[]> key, byte[] bytes) {
    try {
      return decoded(values, values.decode(bytes));
    } catch (RuntimeException e) {
      throw unreadable("value", key.get(), e);
    }
  }

  /** Codecs are the application's, and checkers do not see all of them. */
  private static <T> T decoded(Codec<T> codec, @Nullable T part) {
    if (part == null) {
      throw new CorruptException(codec + " made null of it, which stands for no entry");
    }
    return part;
  }

  private CorruptException unreadable(String what, byte[] key, RuntimeException e) {
    String why = e instanceof StadiumException ? e.getMessage() : e.toString();
    return Callee.failed(
        table,
        new CorruptException(
            what.equals("key")
                ? "table '" + name() + "' has a key that cannot be read: " + why
                : "table '%s' has a %s that cannot be read, at key %s: %s"
                    .formatted(name(), what, Hex.of(key), why),
            e));
  }

  private @Nullable V decodeIfThere(byte[] key, byte @Nullable [] value) {
    return value == null ? null : decodeValue(() -> key, value);
  }
}

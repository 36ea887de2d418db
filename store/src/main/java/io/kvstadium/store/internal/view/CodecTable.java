package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Table;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.ExpiringCodec;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Callee;
import io.kvstadium.store.internal.Hex;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A table as its user sees it: converts what goes in and what comes out. */
public final class CodecTable<K, V> implements Table<K, V>, Callee {
  private final TableView<?> view;
  private final Codec<K> keys;
  private final Codec<V> values;

  // Byte strings are what they are: no call of a codec, whose type the compiler would not know.
  private final boolean plainKeys;
  private final boolean plainValues;
  private final boolean expires;

  public CodecTable(TableView<?> view, Codec<K> keys, Codec<V> values) {
    this.view = view;
    this.keys = Arguments.given(view, "codec of the keys", keys);
    this.values = Arguments.given(view, "codec of the values", values);
    this.plainKeys = keys.equals(Codec.BYTES);
    this.plainValues = values.equals(Codec.BYTES);
    this.expires = values instanceof ExpiringCodec;
  }

  public TableView<?> view() {
    return view;
  }

  /** The same table as seen from elsewhere. */
  CodecTable<K, V> by(TableView<?> other) {
    return new CodecTable<>(other, keys, values);
  }

  @Override
  public String name() {
    return view.name();
  }

  @Override
  public @Nullable V get(K key) {
    byte[] encoded = encodeKey(key);
    return decodeIfThere(encoded, view.get(encoded));
  }

  @Override
  public V getOrDefault(K key, V fallback) {
    V value = get(key);
    return value == null ? fallback : value;
  }

  @Override
  public <R> @Nullable R get(K key, ValueReader<R> reader) {
    return view.get(encodeKey(key), reader);
  }

  @Override
  public int head(K key, byte[] into) {
    return view.head(encodeKey(key), Arguments.given(this, "array", into));
  }

  @Override
  public List<@Nullable V> multiGet(List<K> wanted) {
    byte[][] encoded = new byte[Arguments.given(this, "list of keys", wanted).size()][];
    int count = 0;
    for (K key : wanted) {
      encoded[count++] = encodeKey(key);
    }
    byte[] @Nullable [] found = view.multiGet(encoded);
    List<@Nullable V> decoded = new ArrayList<>(found.length);
    for (int i = 0; i < found.length; i++) {
      decoded.add(decodeIfThere(encoded[i], found[i]));
    }
    return decoded;
  }

  @Override
  public boolean contains(K key) {
    return view.contains(encodeKey(key));
  }

  @Override
  public Cursor<K, V> scan(Range<K> range) {
    return view.scan(encode(range), this);
  }

  @Override
  public @Nullable Entry<K, V> first(Range<K> range) {
    return end(range, false);
  }

  @Override
  public @Nullable Entry<K, V> last(Range<K> range) {
    return end(range, true);
  }

  private @Nullable Entry<K, V> end(Range<K> range, boolean upper) {
    Range<byte[]> one = oneOf(encode(range), upper);
    view.requireScan(true);
    try (Cursor<K, V> cursor = view.scan(one, this)) {
      return cursor.next() ? new Entry<>(cursor.key(), cursor.value()) : null;
    }
  }

  private static Range<byte[]> oneOf(Range<byte[]> bounds, boolean upper) {
    byte[] from = bounds.from();
    byte[] to = bounds.to();
    Range<byte[]> one = Range.<byte[]>all().limit(1);
    one = from == null ? one : one.from(from, bounds.fromInclusive());
    one = to == null ? one : one.to(to, bounds.toInclusive());
    return upper ? one.reverse() : one;
  }

  @Override
  public long count() {
    return view.count();
  }

  @Override
  public long count(Range<K> range) {
    return view.count(encode(range));
  }

  @Override
  public void put(K key, V value) {
    view.put(encodeKey(key), encodeValue(value), expires);
  }

  @Override
  public void delete(K key) {
    view.delete(encodeKey(key));
  }

  @Override
  public long delete(Range<K> range) {
    return view.delete(encode(range));
  }

  @Override
  public boolean putIfAbsent(K key, V value) {
    return ConditionalWrites.putIfAbsent(view, encodeKey(key), encodeValue(value));
  }

  @Override
  public boolean replace(K key, V expected, V value) {
    return ConditionalWrites.replace(
        view, encodeKey(key), encodeValue(expected), encodeValue(value));
  }

  @Override
  public @Nullable V compute(K key, Function<@Nullable V, @Nullable V> function) {
    byte[] encoded = encodeKey(key);
    Arguments.given(this, "function of compute", function);
    AtomicReference<@Nullable V> last = new AtomicReference<>();
    ConditionalWrites.compute(
        view,
        encoded,
        now -> {
          V after = function.apply(decodeIfThere(encoded, now));
          last.setPlain(after);
          return after == null ? null : encodeValue(after);
        });
    return last.getPlain();
  }

  @Override
  public long increment(K key, long delta) {
    if (!plainValues && !values.equals(Codec.LONG)) {
      throw Callee.failed(
          this,
          new BadArgumentException(
              "table '%s': increment needs values of the codec LONG, not %s: use compute"
                  .formatted(name(), values)));
    }
    return ConditionalWrites.increment(view, encodeKey(key), delta);
  }

  @Override
  public long bulkLoad(Iterator<Entry<K, V>> entries, boolean sorted) {
    Arguments.given(this, "iterator of entries", entries);
    return view.bulkLoad(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Entry<byte[], byte[]> next() {
            return encode(Arguments.given(CodecTable.this, "entry", entries.next()));
          }
        },
        sorted);
  }

  @SuppressWarnings("unchecked") // both are byte strings then
  private Entry<byte[], byte[]> encode(Entry<K, V> entry) {
    return plainKeys && plainValues
        ? (Entry<byte[], byte[]>) entry
        : new Entry<>(encodeKey(entry.key()), encodeValue(entry.value()));
  }

  @Override
  public void clear() {
    view.clear();
  }

  @Override
  public long estimateCount() {
    return view.estimateCount();
  }

  @Override
  public boolean compact() {
    return view.compact();
  }

  /** The bytes of a range; the codec may be unable to express its bounds. */
  Range<byte[]> encode(Range<K> range) {
    Arguments.given(this, "range", range);
    try {
      return range.encode(keys);
    } catch (StadiumException e) {
      throw Callee.failed(this, e);
    }
  }

  /** The bytes of a key that stands for a place in the order. */
  byte[] bound(K key) {
    Range<byte[]> begun = encode(Range.atLeast(Arguments.given(this, "key", key)));
    return Objects.requireNonNull(begun.from());
  }

  byte[] encodeKey(K key) {
    return plainKeys ? (byte[]) key : encode("key", keys, key);
  }

  byte[] encodeValue(V value) {
    return plainValues ? (byte[]) value : encode("value", values, value);
  }

  /** The bytes of a key or value, which codecs need not expect to be null. */
  private <T> byte[] encode(String what, Codec<T> codec, T part) {
    try {
      if (part == null) {
        throw new BadArgumentException(
            this + ": the " + what + " is null, which cannot be encoded");
      }
      return codec.encode(part);
    } catch (StadiumException e) {
      throw Callee.failed(this, e);
    } catch (RuntimeException e) {
      throw Callee.failed(
          this,
          new BadArgumentException(
              this + ": the " + what + " cannot be encoded by " + codec + ": " + e, e));
    }
  }

  @SuppressWarnings("unchecked") // it is one
  K decodeKey(byte[] bytes) {
    if (plainKeys) {
      return (K) bytes;
    }
    try {
      return decoded(keys, keys.decode(bytes));
    } catch (RuntimeException e) {
      throw unreadable("key", bytes, e);
    }
  }

  /** Whether {@link #decodeValue} does anything. */
  boolean decodesValues() {
    return !plainValues;
  }

  /** The value of bytes; the key, for an error's message, is asked for only then. */
  V decodeValue(Supplier<byte[]> key, byte[] bytes) {
    try {
      return decoded(values, values.decode(bytes));
    } catch (RuntimeException e) {
      throw unreadable("value", key.get(), e);
    }
  }

  @SuppressWarnings("unchecked") // it is one
  private @Nullable V decodeIfThere(byte[] key, byte @Nullable [] value) {
    return value == null || plainValues ? (V) value : decodeValue(() -> key, value);
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
        this,
        new CorruptException(
            what.equals("key")
                ? "table '" + name() + "' has a key that cannot be read: " + why
                : "table '%s' has a %s that cannot be read, at key %s: %s"
                    .formatted(name(), what, Hex.of(key), why),
            e));
  }

  @Override
  public void callFailed(Throwable failure) {
    view.callFailed(failure);
  }

  @Override
  public String toString() {
    return view.toString();
  }
}

package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Callee;
import io.kvstadium.store.internal.TypedView;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table whose keys and values are converted by codecs; made by {@link Table#typed} and {@link
 * Store#table(String, Codec, Codec)}. Cheap to create and discard; a table can have any number of
 * them, even with different codecs. Thread-safe; need not be closed.
 *
 * <p>What was written with other codecs is detected only if it is not in the codecs' format: then
 * the read throws {@link CorruptException}. The types of a table's keys and values are not stored.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public final class TypedTable<K, V> implements TypedReader<K, V>, TypedWriter<K, V> {
  private final Table table;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final TypedView<K, V> reader;
  private final TypedWriter<K, V> writer;

  private TypedTable(Table table, Codec<K> keys, Codec<V> values) {
    this.table = table;
    this.keys = Arguments.given(table, "codec of the keys", keys);
    this.values = Arguments.given(table, "codec of the values", values);
    this.reader = new TypedView<>(table, keys, values);
    this.writer = writer(table);
  }

  static <K, V> TypedTable<K, V> of(Table table, Codec<K> keys, Codec<V> values) {
    return new TypedTable<>(table, keys, values);
  }

  /** The table itself, with byte strings. */
  public Table raw() {
    return table;
  }

  /** The codec of its keys. */
  public Codec<K> keyCodec() {
    return keys;
  }

  /** The codec of its values. */
  public Codec<V> valueCodec() {
    return values;
  }

  /** This table as a target of a batch. */
  public TypedBatchTable<K, V> on(Batch batch) {
    BatchTable target = Arguments.given(table, "batch", batch).on(table);
    TypedWriter<K, V> typed = writer(target);
    return new TypedBatchTable<>() {
      @Override
      public void put(K key, V value) {
        typed.put(key, value);
      }

      @Override
      public void delete(K key) {
        typed.delete(key);
      }

      @Override
      public void delete(TypedRange<K> range) {
        target.delete(TypedView.encode(target, keys, range));
      }
    };
  }

  /** This table as seen from inside a transaction. */
  public TypedTable<K, V> on(Transaction transaction) {
    return new TypedTable<>(
        Arguments.given(table, "transaction", transaction).on(table), keys, values);
  }

  /** This table as seen by a view: a snapshot, or the view that {@link Store#read} gives. */
  public TypedReader<K, V> on(ReadView view) {
    return new TypedView<>(Arguments.given(table, "view", view).on(table), keys, values);
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public @Nullable V get(K key) {
    return reader.get(key);
  }

  @Override
  public <R> @Nullable R get(K key, ValueReader<R> lent) {
    return reader.get(key, lent);
  }

  @Override
  public V getOrDefault(K key, V fallback) {
    return reader.getOrDefault(key, fallback);
  }

  @Override
  public List<@Nullable V> getAll(List<K> wanted) {
    return reader.getAll(wanted);
  }

  @Override
  public boolean exists(K key) {
    return reader.exists(key);
  }

  @Override
  public TypedCursor<K, V> scan(TypedRange<K> range) {
    return reader.scan(range);
  }

  @Override
  public Map.@Nullable Entry<K, V> first(TypedRange<K> range) {
    return reader.first(range);
  }

  @Override
  public Map.@Nullable Entry<K, V> last(TypedRange<K> range) {
    return reader.last(range);
  }

  @Override
  public long count() {
    return reader.count();
  }

  @Override
  public long count(TypedRange<K> range) {
    return reader.count(range);
  }

  @Override
  public void put(K key, V value) {
    writer.put(key, value);
  }

  @Override
  public void delete(K key) {
    writer.delete(key);
  }

  /**
   * See {@link Table#delete(Range)}.
   *
   * @throws BadArgumentException also if the range has bounds that the key codec cannot express
   */
  public long delete(TypedRange<K> range) {
    return table.delete(TypedView.encode(table, keys, range));
  }

  /** See {@link Table#putIfAbsent}. */
  public boolean putIfAbsent(K key, V value) {
    return table.putIfAbsent(encodeKey(key), encodeValue(value));
  }

  /** See {@link Table#replace}; the values' bytes are compared. */
  public boolean replace(K key, V expected, V value) {
    return table.replace(encodeKey(key), encodeValue(expected), encodeValue(value));
  }

  /**
   * See {@link Table#update}.
   *
   * @throws CorruptException if the current value is not in the codec's format; nothing is written
   */
  public @Nullable V update(K key, Function<@Nullable V, @Nullable V> function) {
    byte[] encoded = encodeKey(key);
    Arguments.given(table, "function of update", function);
    AtomicReference<@Nullable V> last = new AtomicReference<>();
    table.update(
        encoded,
        now -> {
          V after = function.apply(now == null ? null : reader.decodeValue(() -> encoded, now));
          last.setPlain(after);
          return after == null ? null : encodeValue(after);
        });
    return last.getPlain();
  }

  /**
   * See {@link Table#add}.
   *
   * @throws BadArgumentException also if the value codec is not {@link Codec#LONG}
   */
  public long add(K key, long delta) {
    if (!values.equals(Codec.LONG)) {
      throw Callee.failed(
          table,
          new BadArgumentException(
              "table '"
                  + name()
                  + "': add needs values of the codec LONG, not "
                  + values
                  + ": use update"));
    }
    return table.add(encodeKey(key), delta);
  }

  /**
   * Puts many entries; see {@link Table#load}.
   *
   * @param entries for example those of {@link TypedCursor#entries()} of another table
   * @param sorted a promise, which is checked, that the keys' bytes ascend strictly; they do for
   *     ascending keys of a codec that is {@link Codec#ordered}
   * @return how many entries there were
   */
  public long load(Iterator<? extends Map.Entry<K, V>> entries, boolean sorted) {
    Arguments.given(table, "iterator of entries", entries);
    return table.load(
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Entry next() {
            Map.Entry<K, V> entry = Arguments.given(table, "entry", entries.next());
            return new Entry(
                TypedView.encode(table, "key", keys, entry.getKey()), value(entry.getValue()));
          }
        },
        sorted);
  }

  /** See {@link Table#clear}. */
  public void clear() {
    table.clear();
  }

  /** See {@link Table#estimateCount}. */
  public long estimateCount() {
    return table.estimateCount();
  }

  /** See {@link Table#compact}. */
  public boolean compact() {
    return table.compact();
  }

  private byte[] encodeKey(K key) {
    return TypedView.encode(table, "key", keys, key);
  }

  private byte[] encodeValue(V value) {
    return TypedView.encode(table, "value", values, value);
  }

  private byte[] value(V value) {
    return TypedView.encode(table, "value", values, value);
  }

  private TypedWriter<K, V> writer(TableWriter target) {
    return new TypedWriter<>() {
      @Override
      public void put(K key, V value) {
        target.put(
            TypedView.encode(target, "key", keys, key),
            TypedView.encode(target, "value", values, value));
      }

      @Override
      public void delete(K key) {
        target.delete(TypedView.encode(target, "key", keys, key));
      }
    };
  }

  @Override
  public String toString() {
    return table.toString();
  }
}

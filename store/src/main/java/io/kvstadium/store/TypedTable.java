package io.kvstadium.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table whose keys and values are converted by codecs; made by {@link Table#typed} and {@link
 * Store#table(String, Codec, Codec)}. Cheap to make and to forget; any number may be made of a
 * table, also with different codecs. Safe for all threads; needs no close.
 *
 * <p>What was written with other codecs is found out only if it is not of the codecs' form: then
 * the read throws {@link CorruptException}. What kinds of keys and values a table holds is not
 * stored.
 *
 * @param <K> the type of its keys
 * @param <V> the type of its values
 */
public final class TypedTable<K, V> implements TypedReader<K, V>, TypedWriter<K, V> {
  private final Table table;
  private final Codec<K> keys;
  private final Codec<V> values;
  private final TypedReader<K, V> reader;
  private final TypedWriter<K, V> writer;

  private TypedTable(Table table, Codec<K> keys, Codec<V> values) {
    this.table = table;
    this.keys = keys;
    this.values = values;
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
  public TypedWriter<K, V> on(Batch batch) {
    return writer(batch.on(table));
  }

  /** This table as seen from inside a transaction. */
  public TypedTable<K, V> on(Transaction transaction) {
    return new TypedTable<>(transaction.on(table), keys, values);
  }

  /** This table as of a snapshot. */
  public TypedReader<K, V> on(Snapshot snapshot) {
    return new TypedView<>(snapshot.on(table), keys, values);
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
  public V getOrDefault(K key, V fallback) {
    return reader.getOrDefault(key, fallback);
  }

  @Override
  public List<@Nullable V> getAll(List<K> wanted) {
    return reader.getAll(wanted);
  }

  @Override
  public List<@Nullable V> getAll(List<K> wanted, int parallelism) {
    return reader.getAll(wanted, parallelism);
  }

  @Override
  public boolean exists(K key) {
    return reader.exists(key);
  }

  @Override
  public boolean mayExist(K key) {
    return reader.mayExist(key);
  }

  @Override
  public TypedCursor<K, V> scan(TypedRange<K> range) {
    return reader.scan(range);
  }

  @Override
  public long count() {
    return reader.count();
  }

  @Override
  public void put(K key, V value) {
    writer.put(key, value);
  }

  @Override
  public void delete(K key) {
    writer.delete(key);
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
  public void compact() {
    table.compact();
  }

  private TypedWriter<K, V> writer(TableWriter target) {
    return new TypedWriter<>() {
      @Override
      public void put(K key, V value) {
        target.put(keys.encode(key), values.encode(value));
      }

      @Override
      public void delete(K key) {
        target.delete(keys.encode(key));
      }
    };
  }
}

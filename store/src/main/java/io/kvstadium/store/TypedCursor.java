package io.kvstadium.store;

import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Walks over the entries of a scan, lazily; see {@link Cursor}. Keys and values are decoded when
 * they are asked for, each time. Belongs to one thread at a time and must be closed.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class TypedCursor<K, V> implements AutoCloseable {
  private final Cursor cursor;
  private final TypedView<K, V> view;

  TypedCursor(Cursor cursor, TypedView<K, V> view) {
    this.cursor = cursor;
    this.view = view;
  }

  /**
   * Steps to the next entry.
   *
   * @return {@code false} at the end; then {@code key} and {@code value} may not be called
   */
  public boolean next() {
    return cursor.next();
  }

  /**
   * The current entry's key.
   *
   * @throws CorruptException if it is not of the key codec's form
   */
  public K key() {
    return view.decodeKey(cursor.key());
  }

  /**
   * The current entry's value.
   *
   * @throws BadArgumentException if the scan was asked for keys only
   * @throws CorruptException if it is not of the value codec's form
   */
  public V value() {
    byte[] bytes = cursor.value();
    return view.decodeValue(cursor::key, bytes);
  }

  /** Calls {@code action} for each entry that is left. Does not close. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    while (next()) {
      action.accept(key(), value());
    }
  }

  /**
   * The entries that are left as a lazy sequential stream. Closing the stream closes this cursor,
   * so one {@code try} is enough:
   *
   * <pre>{@code
   * try (var visits = table.scan().stream()) {
   *   return visits.filter(e -> e.getValue() > 9).map(Map.Entry::getKey).toList();
   * }
   * }</pre>
   */
  public Stream<Map.Entry<K, V>> stream() {
    Spliterator<Map.Entry<K, V>> entries =
        new Spliterators.AbstractSpliterator<>(
            Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
          @Override
          public boolean tryAdvance(Consumer<? super Map.Entry<K, V>> action) {
            if (!next()) {
              return false;
            }
            action.accept(Map.entry(key(), value()));
            return true;
          }
        };
    return StreamSupport.stream(entries, false).onClose(this::close);
  }

  /** Gives its resources back. A second call does nothing. */
  @Override
  public void close() {
    cursor.close();
  }
}

package io.kvstadium.store;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the entries of a scan, lazily: nothing is read before it is asked for.
 *
 * <pre>{@code
 * try (var cursor = table.scan(Range.prefix("user:"))) {
 *   while (cursor.next()) {
 *     use(cursor.key(), cursor.value());
 *   }
 * }
 * }</pre>
 *
 * <p>On engines with {@link Capability#SNAPSHOT} it sees the table as it was when the scan began,
 * whatever is written meanwhile; on others each entry as it is when reached. Belongs to one thread
 * at a time and must be closed: it may hold resources of the engine.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public interface Cursor<K, V> extends AutoCloseable {
  /**
   * Steps to the next entry.
   *
   * @return {@code false} at the end; then {@code key} and {@code value} must not be called
   */
  boolean next();

  /**
   * Moves to the first entry at or after a key in the scan's direction: the least one not below it,
   * or in reverse the greatest one not above it. Moves forwards or backwards, even from the end,
   * but never out of the scan's range: a key before its beginning means its beginning. An entry
   * that is found counts against the scan's limit like any other, even if it was visited before.
   *
   * <p>On engines whose cursors cannot seek, the scan starts again at this key. In a snapshot or a
   * transaction it then sees the same as before, but on a store's own table it sees what the store
   * holds by now.
   *
   * @return whether there is such an entry, as for {@link #next()}
   * @throws BadArgumentException if the key codec keeps no order
   * @throws UnsupportedException if the engine has no order
   */
  boolean seek(K key);

  /**
   * The current entry's key, decoded at each call. A byte string belongs to the caller; further
   * calls before the next step return the same array.
   *
   * @throws CorruptException if it is not in the key codec's format
   */
  K key();

  /**
   * The current entry's value, like the key.
   *
   * @throws BadArgumentException if the scan was asked for keys only
   * @throws CorruptException if it is not in the value codec's format
   */
  V value();

  /**
   * Reads the current value's bytes, not converted, without a copy where the engine allows it; see
   * {@link ValueReader}.
   */
  <R extends @Nullable Object> R value(ValueReader<R> reader);

  /**
   * Reads the remaining entries' bytes, not converted, without a copy where the engine allows it:
   * the fastest way through many of them. Afterwards the cursor is on the entry at which the reader
   * ended it, or else at the end. As with {@link #value(ValueReader)}, the reader must not use the
   * store.
   *
   * @return how many were read
   */
  long readRemaining(EntryReader reader);

  /**
   * Returns the remaining entries one after the other, for {@link Table#bulkLoad} among others. The
   * iterator lives as long as the cursor, and advances it.
   */
  default Iterator<Entry<K, V>> iterator() {
    return Spliterators.iterator(entries());
  }

  /**
   * Returns the remaining entries as a lazy sequential stream. Closing the stream closes this
   * cursor, so one {@code try} is enough:
   *
   * <pre>{@code
   * try (var visits = table.scan().stream()) {
   *   return visits.filter(visit -> visit.value() > 9).map(Entry::key).toList();
   * }
   * }</pre>
   */
  default Stream<Entry<K, V>> stream() {
    return StreamSupport.stream(entries(), false).onClose(this::close);
  }

  private Spliterator<Entry<K, V>> entries() {
    return new Spliterators.AbstractSpliterator<>(
        Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL) {
      @Override
      public boolean tryAdvance(Consumer<? super Entry<K, V>> action) {
        if (!Cursor.this.next()) {
          return false;
        }
        action.accept(new Entry<>(key(), value()));
        return true;
      }
    };
  }

  /** Releases its resources. A second call does nothing. */
  @Override
  void close();
}

package io.kvstadium.store;

import io.kvstadium.store.internal.CursorIterator;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the entries of a scan, lazily: nothing is read before it is asked for.
 *
 * <pre>{@code
 * try (Cursor cursor = table.scan(Range.prefix(p))) {
 *   while (cursor.next()) {
 *     use(cursor.key(), cursor.value());
 *   }
 * }
 * }</pre>
 *
 * <p>On engines with {@link Capability#SNAPSHOT} it sees the table as it was when the scan began,
 * whatever is written meanwhile; on others each entry as it is when reached. Belongs to one thread
 * at a time and must be closed: it may hold resources of the engine.
 */
public interface Cursor extends AutoCloseable {
  /**
   * Steps to the next entry.
   *
   * @return {@code false} at the end; then {@code key} and {@code value} must not be called
   */
  boolean next();

  /**
   * Advances over the next entries, as many as {@code chunk} has room for. Cheaper than one at a
   * time. Afterwards the cursor is on the last one of them.
   *
   * @return how many entries {@code chunk} has, from its beginning; fewer than fit at the end of
   *     the scan, 0 if none were left
   * @throws BadArgumentException if the array is empty, or the scan was asked for keys only
   */
  int nextChunk(Entry[] chunk);

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
   * @throws UnsupportedException if the engine has no order
   */
  boolean seek(byte[] key);

  /**
   * The current entry's key, in an array that belongs to the caller. Further calls before the next
   * step return the same array.
   */
  byte[] key();

  /**
   * The current entry's value, in an array that belongs to the caller, like the key's.
   *
   * @throws BadArgumentException if the scan was asked for keys only
   */
  byte[] value();

  /**
   * Lends the current entry's value; after a call of {@link #value()}, that array. See {@link
   * ValueReader}.
   */
  <R extends @Nullable Object> R value(ValueReader<R> reader);

  /**
   * Returns the remaining entries one after the other, for {@link Table#load} among others. The
   * iterator lives as long as the cursor, and advances it.
   */
  default Iterator<Entry> entries() {
    Entry[] one = new Entry[1];
    return new CursorIterator<>(() -> nextChunk(one) == 0 ? null : one[0]);
  }

  /**
   * Returns the remaining entries as a lazy sequential stream. Closing the stream closes this
   * cursor.
   */
  default Stream<Entry> stream() {
    return CursorIterator.stream(entries(), this::close);
  }

  /**
   * Returns the keys of the remaining entries as a lazy sequential stream, also of a scan without
   * values. Closing the stream closes this cursor.
   */
  default Stream<byte[]> keys() {
    return CursorIterator.stream(new CursorIterator<>(() -> next() ? key() : null), this::close);
  }

  /** Releases its resources. A second call does nothing. */
  @Override
  void close();
}

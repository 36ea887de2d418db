package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.CursorIterator;
import io.kvstadium.store.internal.TypedView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Walks over the entries of a scan, lazily; see {@link Cursor}. Keys and values are decoded when
 * they are asked for, each time. Belongs to one thread at a time and must be closed.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class TypedCursor<K, V> implements AutoCloseable {
  /** The most entries that one step of the underlying cursor takes. */
  private static final int MOST = 1_000;

  private final Cursor cursor;
  private final TypedView<K, V> view;

  @SuppressWarnings("exports") // only the library makes one
  public TypedCursor(Cursor cursor, TypedView<K, V> view) {
    this.cursor = cursor;
    this.view = view;
  }

  /**
   * Steps to the next entry.
   *
   * @return {@code false} at the end; then {@code key} and {@code value} must not be called
   */
  public boolean next() {
    return cursor.next();
  }

  /**
   * The current entry's key.
   *
   * @throws CorruptException if it is not in the key codec's format
   */
  public K key() {
    return view.decodeKey(cursor.key());
  }

  /**
   * The current entry's value.
   *
   * @throws BadArgumentException if the scan was asked for keys only
   * @throws CorruptException if it is not in the value codec's format
   */
  public V value() {
    byte[] bytes = cursor.value();
    return view.decodeValue(cursor::key, bytes);
  }

  /**
   * Advances over the next entries; see {@link Cursor#nextChunk}.
   *
   * @param most the maximum number of entries; at least 1
   * @return the entries; fewer at the end of the scan, none if none were left
   */
  public List<Map.Entry<K, V>> nextChunk(int most) {
    if (most < 1) {
      throw new BadArgumentException(
          "nextChunk of " + most + " entries is impossible: ask for 1 or more");
    }
    Entry[] chunk = new Entry[Math.min(most, MOST)];
    List<Map.Entry<K, V>> entries = new ArrayList<>();
    while (entries.size() < most) {
      int wanted = Math.min(chunk.length, most - entries.size());
      Entry[] part = wanted == chunk.length ? chunk : new Entry[wanted];
      int found = cursor.nextChunk(part);
      for (int i = 0; i < found; i++) {
        entries.add(view.decode(part[i]));
      }
      if (found < wanted) {
        break;
      }
    }
    return entries;
  }

  /**
   * Moves to the first entry at or after a key in the scan's direction; see {@link Cursor#seek}.
   *
   * @throws BadArgumentException if the key codec keeps no order
   */
  public boolean seek(K key) {
    return cursor.seek(view.bound(key));
  }

  /** Calls {@code action} for each remaining entry. Does not close the cursor. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Arguments.given("forEach", "action", action);
    entries().forEachRemaining(entry -> action.accept(entry.getKey(), entry.getValue()));
  }

  /**
   * Returns the remaining entries one after the other. The iterator lives as long as the cursor,
   * and advances it.
   */
  public Iterator<Map.Entry<K, V>> entries() {
    Entry[] one = new Entry[1];
    return new CursorIterator<>(() -> cursor.nextChunk(one) == 0 ? null : view.decode(one[0]));
  }

  /**
   * Returns the remaining entries as a lazy sequential stream. Closing the stream closes this
   * cursor, so one {@code try} is enough:
   *
   * <pre>{@code
   * try (var visits = table.scan().stream()) {
   *   return visits.filter(e -> e.getValue() > 9).map(Map.Entry::getKey).toList();
   * }
   * }</pre>
   */
  public Stream<Map.Entry<K, V>> stream() {
    return CursorIterator.stream(entries(), this::close);
  }

  /**
   * Returns the keys of the remaining entries as a lazy sequential stream. Together with {@link
   * TypedRange#keysOnly}, no values are read. Closing the stream closes this cursor:
   *
   * <pre>{@code
   * try (var names = table.scan(TypedRange.prefix("a").keysOnly()).keys()) {
   *   names.forEach(this::greet);
   * }
   * }</pre>
   */
  public Stream<K> keys() {
    return CursorIterator.stream(new CursorIterator<>(() -> next() ? key() : null), this::close);
  }

  /** Releases its resources. A second call does nothing. */
  @Override
  public void close() {
    cursor.close();
  }
}

package io.kvstadium.store.internal;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What is left of a cursor; steps to the next entry when it is asked whether there is one. */
public final class CursorIterator<K, V> implements Iterator<Entry<K, V>> {
  private enum Place {
    BEFORE_NEXT,
    ON_NEXT,
    AT_END
  }

  private final Cursor<K, V> cursor;
  private Place place = Place.BEFORE_NEXT;

  public CursorIterator(Cursor<K, V> cursor) {
    this.cursor = cursor;
  }

  @Override
  public boolean hasNext() {
    if (place == Place.BEFORE_NEXT) {
      place = cursor.next() ? Place.ON_NEXT : Place.AT_END;
    }
    return place == Place.ON_NEXT;
  }

  @Override
  public Entry<K, V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the cursor is at its end");
    }
    place = Place.BEFORE_NEXT;
    return new Entry<>(cursor.key(), cursor.value());
  }

  /** A lazy sequential stream whose close runs {@code close}. */
  public static <E> Stream<E> stream(Iterator<E> entries, Runnable close) {
    Spliterator<E> lazy =
        Spliterators.spliteratorUnknownSize(entries, Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(lazy, false).onClose(close);
  }
}

package io.kvstadium.store.internal;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What is left of a cursor; reads one entry ahead when it is asked whether there is one. */
public final class CursorIterator<E> implements Iterator<E> {
  private final Supplier<@Nullable E> source;
  private @Nullable E ahead;
  private boolean ended;

  /**
   * @param source returns {@code null} at the end, and is then not called again
   */
  public CursorIterator(Supplier<@Nullable E> source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    if (ahead == null && !ended) {
      ahead = source.get();
      ended = ahead == null;
    }
    return ahead != null;
  }

  @Override
  public E next() {
    if (!hasNext() || ahead == null) {
      throw new NoSuchElementException("the cursor is at its end");
    }
    E result = ahead;
    ahead = null;
    return result;
  }

  /** A lazy sequential stream whose close runs {@code close}. */
  public static <E> Stream<E> stream(Iterator<E> entries, Runnable close) {
    Spliterator<E> lazy =
        Spliterators.spliteratorUnknownSize(entries, Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(lazy, false).onClose(close);
  }
}

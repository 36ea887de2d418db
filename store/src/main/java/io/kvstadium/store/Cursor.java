package io.kvstadium.store;

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
 * at a time and must be closed: it may hold the engine's resources.
 */
public interface Cursor extends AutoCloseable {
  /**
   * Steps to the next entry.
   *
   * @return {@code false} at the end; then {@code key} and {@code value} may not be called
   */
  boolean next();

  /** A copy of the current entry's key. */
  byte[] key();

  /**
   * A copy of the current entry's value.
   *
   * @throws BadArgumentException if the scan was asked for keys only
   */
  byte[] value();

  /** Lends the current entry's value; see {@link ValueReader}. */
  <R extends @Nullable Object> R value(ValueReader<R> reader);

  /** Gives its resources back. A second call does nothing. */
  @Override
  void close();
}

package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import java.util.function.Function;

/**
 * The engine's cursor behind a {@link CursorView}; a seek may put another in its place. Its opener
 * also keeps the table's view, and so the snapshot that this came from, from being lost while the
 * cursor is in use.
 */
final class CursorSource {
  private final Function<Range, EngineCursor> opener;
  private EngineCursor cursor;

  /**
   * Opens the first one.
   *
   * @param opener called between enter and exit of the cursor's parent; also later
   */
  CursorSource(Function<Range, EngineCursor> opener, Range range) {
    this.opener = opener;
    this.cursor = opener.apply(range);
  }

  EngineCursor cursor() {
    return cursor;
  }

  EngineCursor reopen(Range range) {
    EngineCursor old = cursor;
    cursor = opener.apply(range);
    old.close();
    return cursor;
  }

  void close() {
    cursor.close();
  }
}

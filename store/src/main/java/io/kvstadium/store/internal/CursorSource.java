package io.kvstadium.store.internal;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;

/**
 * The engine's cursor behind a {@link CursorView}; a seek may replace it. Its opener also keeps the
 * table's view, and so the snapshot that this came from, from being lost while the cursor is in
 * use.
 */
final class CursorSource {
  private final Opening opener;
  private EngineCursor cursor;

  /** Opens an engine's cursor. */
  @FunctionalInterface
  interface Opening {
    EngineCursor at(Range range) throws Exception;
  }

  /**
   * Opens the first one.
   *
   * @param opener called between enter and exit of the cursor's parent; also later
   */
  CursorSource(Opening opener, Range range) throws Exception {
    this.opener = opener;
    this.cursor = opener.at(range);
  }

  EngineCursor cursor() {
    return cursor;
  }

  EngineCursor reopen(Range range) throws Exception {
    EngineCursor old = cursor;
    cursor = opener.at(range);
    old.close();
    return cursor;
  }

  void close() throws Exception {
    cursor.close();
  }
}

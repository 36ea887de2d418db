package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.SparkeyReader;
import java.io.IOException;
import java.util.Iterator;

/** Scans a log of another program, which may have replaced or deleted entries. */
final class LiveCursor extends SparkeyCursor {
  private final SparkeyReader reader;

  private LiveCursor(
      Generation generation,
      SparkeyReader reader,
      Iterator<SparkeyReader.Entry> live,
      AutoCloseable onClose) {
    super(generation, live, onClose);
    this.reader = reader;
  }

  /**
   * Opens a cursor.
   *
   * @param generation pinned
   * @param onClose unpins it
   */
  static LiveCursor of(Generation generation, AutoCloseable onClose) throws Exception {
    SparkeyReader reader = null;
    try {
      reader = PooledReader.map(generation.base());
      return new LiveCursor(generation, reader, reader.iterator(), onClose);
    } catch (IOException | RuntimeException e) {
      if (reader != null) {
        reader.close();
      }
      onClose.close();
      throw new DamageException(generation.base(), e);
    }
  }

  @Override
  public void close() throws Exception {
    reader.close();
    super.close();
  }
}

package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.SparkeyLogIterator;
import com.spotify.sparkey.SparkeyReader;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Scans a log, all of whose entries are live, in the order in which they were loaded. Sparkey
 * closes the file at the log's end; if the cursor is closed earlier, the garbage collector does.
 */
final class SparkeyCursor implements EngineCursor {
  private final Generation generation;
  private final AutoCloseable onClose;
  private final Iterator<SparkeyReader.Entry> entries;
  private SparkeyReader.@Nullable Entry entry;
  private byte @Nullable [] value; // of the current entry, once read: the stream gives it only once

  /**
   * Scans a log that this engine wrote.
   *
   * @param generation pinned
   * @param onClose unpins it
   */
  SparkeyCursor(Generation generation, AutoCloseable onClose) throws Exception {
    this.generation = generation;
    this.onClose = onClose;
    try {
      entries = new SparkeyLogIterator(Layout.log(generation.base()).toFile()).iterator();
    } catch (IOException | RuntimeException e) {
      onClose.close();
      throw new DamageException(generation.base(), e);
    }
  }

  @Override
  public boolean next() {
    value = null;
    try {
      entry = entries.hasNext() ? entries.next() : null;
      return entry != null;
    } catch (RuntimeException e) {
      throw new DamageException(generation.base(), e);
    }
  }

  @Override
  public byte[] key() {
    return present().getKey().clone(); // it is Sparkey's own buffer, as long as the longest key
  }

  @Override
  public byte[] value() {
    return read().clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(read()).asReadOnly());
  }

  private byte[] read() {
    if (value == null) {
      try {
        value = present().getValue();
      } catch (IOException | RuntimeException e) {
        throw new DamageException(generation.base(), e);
      }
    }
    return value;
  }

  private SparkeyReader.Entry present() {
    if (entry == null) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return entry;
  }

  @Override
  public void close() throws Exception {
    onClose.close();
  }
}

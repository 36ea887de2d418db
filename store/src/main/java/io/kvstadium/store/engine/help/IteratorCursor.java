package io.kvstadium.store.engine.help;

import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Walks along an iterator of entries, whose arrays nobody changes. */
public class IteratorCursor implements EngineCursor {
  private Iterator<Map.Entry<byte[], byte[]>> entries;
  private byte[] key = new byte[0];
  private byte[] value = key;

  /** Starts before the first entry. */
  public IteratorCursor(Iterator<Map.Entry<byte[], byte[]>> entries) {
    this.entries = entries;
  }

  /** Goes on with other entries; returns whether there is one. */
  protected final boolean goOn(Iterator<Map.Entry<byte[], byte[]>> others) {
    entries = others;
    return next();
  }

  /** The key's own array. */
  protected final byte[] keyArray() {
    return key;
  }

  /** The value's own array. */
  protected final byte[] valueArray() {
    return value;
  }

  @Override
  public final boolean next() {
    if (!entries.hasNext()) {
      return false;
    }
    Map.Entry<byte[], byte[]> entry = entries.next();
    key = entry.getKey();
    value = entry.getValue();
    return true;
  }

  @Override
  public final byte[] key() {
    return key.clone();
  }

  @Override
  public final byte[] value() {
    return value.clone();
  }

  @Override
  public final <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  @Override
  public void close() {} // the garbage collector does the rest
}

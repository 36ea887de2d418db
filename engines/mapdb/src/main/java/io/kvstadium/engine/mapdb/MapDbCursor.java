package io.kvstadium.engine.mapdb;

import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Walks along one of MapDB's iterators. */
final class MapDbCursor implements EngineCursor {
  private final Iterator<Map.Entry<byte[], byte[]>> entries;
  private byte[] key = new byte[0];
  private byte[] value = key;

  MapDbCursor(Iterator<Map.Entry<byte[], byte[]>> entries) {
    this.entries = entries;
  }

  @Override
  public boolean next() {
    if (!entries.hasNext()) {
      return false;
    }
    Map.Entry<byte[], byte[]> entry = entries.next();
    key = entry.getKey();
    value = entry.getValue();
    return true;
  }

  @Override
  public byte[] key() {
    return key.clone();
  }

  @Override
  public byte[] value() {
    return value.clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  @Override
  public void close() {}
}

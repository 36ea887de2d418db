package io.kvstadium.bench.trial;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.Baseline;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The engine's own API, by hand. */
final class BaselineTarget implements Target {
  private final Baseline.Handle handle;

  BaselineTarget(Baseline.Handle handle) {
    this.handle = handle;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return handle.get(key);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    handle.put(key, value);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    throw new UnsupportedException("access = \"raw\" has no multi-get");
  }

  @Override
  public void delete(byte[] key) {
    handle.delete(key);
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    throw new UnsupportedException("access = \"raw\" has single operations only: set batch = 1");
  }

  @Override
  public Cursor scan(Range range) {
    throw new UnsupportedException("access = \"raw\" has no cursors");
  }

  @Override
  public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    return handle.scan(from, limit, each);
  }

  @Override
  public Target another() {
    return new BaselineTarget(handle.another());
  }

  @Override
  public void close() {
    handle.close();
  }
}

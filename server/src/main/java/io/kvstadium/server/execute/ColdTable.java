package io.kvstadium.server.execute;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.ValueReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table for threads that must not wait for the store: whatever is read of it is refused. */
final class ColdTable implements TableReader<byte[], byte[]> {
  @Override
  public String name() {
    return "";
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    throw new ColdException();
  }

  @Override
  public byte[] getOrDefault(byte[] key, byte[] fallback) {
    throw new ColdException();
  }

  @Override
  public <R> @Nullable R get(byte[] key, ValueReader<R> reader) {
    throw new ColdException();
  }

  @Override
  public int head(byte[] key, byte[] into) {
    throw new ColdException();
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    throw new ColdException();
  }

  @Override
  public boolean contains(byte[] key) {
    throw new ColdException();
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    throw new ColdException();
  }

  @Override
  public @Nullable Entry<byte[], byte[]> first(Range<byte[]> range) {
    throw new ColdException();
  }

  @Override
  public @Nullable Entry<byte[], byte[]> last(Range<byte[]> range) {
    throw new ColdException();
  }

  @Override
  public long count() {
    throw new ColdException();
  }

  @Override
  public long count(Range<byte[]> range) {
    throw new ColdException();
  }
}

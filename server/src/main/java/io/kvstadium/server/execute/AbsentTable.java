package io.kvstadium.server.execute;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.EntryReader;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.ValueReader;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table that nobody has written to yet, as it reads. */
public final class AbsentTable implements TableReader<byte[], byte[]> {
  private static final class Nothing implements Cursor<byte[], byte[]> {
    @Override
    public boolean next() {
      return false;
    }

    @Override
    public boolean seek(byte[] key) {
      return false;
    }

    @Override
    public byte[] key() {
      throw new IllegalStateException("no entry");
    }

    @Override
    public byte[] value() {
      throw new IllegalStateException("no entry");
    }

    @Override
    public <R extends @Nullable Object> R value(ValueReader<R> reader) {
      throw new IllegalStateException("no entry");
    }

    @Override
    public long readRemaining(EntryReader reader) {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Override
  public String name() {
    return "";
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return null;
  }

  @Override
  public byte[] getOrDefault(byte[] key, byte[] fallback) {
    return fallback;
  }

  @Override
  public <R> @Nullable R get(byte[] key, ValueReader<R> reader) {
    return null;
  }

  @Override
  public int head(byte[] key, byte[] into) {
    return -1;
  }

  @Override
  public List<byte @Nullable []> multiGet(List<byte[]> keys) {
    return Collections.nCopies(keys.size(), null);
  }

  @Override
  public boolean contains(byte[] key) {
    return false;
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    return new Nothing();
  }

  @Override
  public @Nullable Entry<byte[], byte[]> first(Range<byte[]> range) {
    return null;
  }

  @Override
  public @Nullable Entry<byte[], byte[]> last(Range<byte[]> range) {
    return null;
  }

  @Override
  public long count() {
    return 0;
  }

  @Override
  public long count(Range<byte[]> range) {
    return 0;
  }
}

package io.kvstadium.bench.trial;

import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.UnsupportedException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A closed store, which each read opens and closes again. */
record OpeningTarget(Opening opening, Configuration configuration, Path directory)
    implements Target {
  @Override
  public byte @Nullable [] get(byte[] key) {
    try (Target target = opening.reader(configuration, directory)) {
      return target.get(key);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    throw onlyReads();
  }

  @Override
  public void delete(byte[] key) {
    throw onlyReads();
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    throw onlyReads();
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    throw onlyReads();
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    throw onlyReads();
  }

  private static UnsupportedException onlyReads() {
    return new UnsupportedException(
        "a store that is opened for each operation is only read by key");
  }

  @Override
  public void close() {}
}

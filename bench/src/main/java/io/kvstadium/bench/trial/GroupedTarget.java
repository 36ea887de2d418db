package io.kvstadium.bench.trial;

import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.WriteStalls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction around each phase, or a batch around each phase that writes. */
final class GroupedTarget implements Target {
  private static final TransactionOptions ONCE =
      TransactionOptions.DEFAULT.mode(TransactionMode.PESSIMISTIC).retryTimeout(Duration.ZERO);

  private final Store store;
  private final Table<byte[], byte[]> table;
  private final Access access;
  private TableReader<byte[], byte[]> reader;
  private @Nullable Table<byte[], byte[]> writer;
  private @Nullable Batch batch;

  GroupedTarget(Store store, Access access) {
    this.store = store;
    this.table = store.table();
    this.access = access;
    this.reader = table;
  }

  @Override
  public void around(boolean writes, Runnable blocks) {
    if (access == Access.TRANSACTION) {
      store.transact(
          ONCE,
          transaction -> {
            Table<byte[], byte[]> inside = transaction.on(table);
            run(inside, inside, null, blocks);
            return null;
          });
    } else if (writes) {
      store.write(given -> run(table, null, given, blocks));
    } else {
      run(table, null, null, blocks);
    }
  }

  private void run(
      TableReader<byte[], byte[]> newReader,
      @Nullable Table<byte[], byte[]> newWriter,
      @Nullable Batch newBatch,
      Runnable blocks) {
    reader = newReader;
    writer = newWriter;
    batch = newBatch;
    try {
      blocks.run();
    } finally {
      reader = table;
      writer = null;
      batch = null;
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return reader.get(key);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    return reader.multiGet(keys); // a transaction belongs to one thread
  }

  @Override
  public void put(byte[] key, byte[] value) {
    if (batch != null) {
      batch.put(table, key, value);
    } else {
      writer().put(key, value);
    }
  }

  @Override
  public void delete(byte[] key) {
    if (batch != null) {
      batch.delete(table, key);
    } else {
      writer().delete(key);
    }
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        delete(keys.get(i));
      } else {
        put(keys.get(i), value);
      }
    }
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    return reader.scan(range);
  }

  @Override
  public @Nullable WriteStalls stalls() {
    return store.stalls();
  }

  @Override
  public @Nullable BackgroundWork background() {
    return store.background();
  }

  @Override
  public void close() {
    store.close();
  }

  private Table<byte[], byte[]> writer() {
    if (writer == null) {
      throw new IllegalStateException("a phase that writes was not announced as one");
    }
    return writer;
  }
}

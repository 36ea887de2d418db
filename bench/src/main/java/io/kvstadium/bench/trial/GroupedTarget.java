package io.kvstadium.bench.trial;

import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.TableWriter;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction around each phase, or a batch around each phase that writes. */
final class GroupedTarget implements Target {
  private static final TransactionOptions ONCE =
      TransactionOptions.DEFAULT.mode(TransactionMode.PESSIMISTIC).attempts(1);

  private final Store store;
  private final Table table;
  private final Access access;
  private TableReader reader;
  private @Nullable TableWriter writer;

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
            Table inside = transaction.on(table);
            run(inside, inside, blocks);
            return null;
          });
    } else if (writes) {
      store.write(batch -> run(table, batch.on(table), blocks));
    } else {
      run(table, null, blocks);
    }
  }

  private void run(TableReader newReader, @Nullable TableWriter newWriter, Runnable blocks) {
    reader = newReader;
    writer = newWriter;
    try {
      blocks.run();
    } finally {
      reader = table;
      writer = null;
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return reader.get(key);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    return reader.getAll(keys); // a transaction belongs to one thread
  }

  @Override
  public void put(byte[] key, byte[] value) {
    writer().put(key, value);
  }

  @Override
  public void delete(byte[] key) {
    writer().delete(key);
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    TableWriter target = writer();
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        target.delete(keys.get(i));
      } else {
        target.put(keys.get(i), value);
      }
    }
  }

  @Override
  public Cursor scan(Range range) {
    return reader.scan(range);
  }

  @Override
  public @Nullable BackgroundWork background() {
    return store.background();
  }

  @Override
  public void close() {
    store.close();
  }

  private TableWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("a phase that writes was not announced as one");
    }
    return writer;
  }
}

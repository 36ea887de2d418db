package io.kvstadium.engine.mdbx;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An environment of the library as a store. */
final class MdbxStore implements EngineStore<MdbxStore.Table> {
  /**
   * A named table of the environment.
   *
   * @param number the library's, while the environment is open
   * @param since the transaction that made it, or 0 if that was before
   */
  record Table(String name, int number, long since) implements EngineTable {}

  private final StoreConfig config;
  private final Environment environment;

  MdbxStore(StoreConfig config) {
    this.config = config;
    this.environment = new Environment(config);
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return MdbxException.classify(config, thrown);
  }

  /** The keys of the unnamed table. */
  @Override
  public Set<String> tables() {
    Set<String> names = new HashSet<>();
    Transaction reader = environment.reader();
    try (MdbxCursor walk = cursor(reader, Mdbx.UNNAMED, Range.all())) {
      while (walk.next()) {
        names.add(new String(walk.key(), StandardCharsets.UTF_8));
      }
    }
    return names;
  }

  @Override
  public @Nullable Table openTable(String name, Options options, boolean create) {
    Table found = environment.read(txn -> table(txn, name, 0, 0));
    return found != null || !create
        ? found
        : environment.write(txn -> table(txn, name, Mdbx.CREATE_TABLE, txn.id()));
  }

  private static @Nullable Table table(Transaction txn, String name, int flags, long since) {
    try (Arena arena = Arena.ofConfined()) {
      int number = txn.table(arena.allocateFrom(name), flags);
      return number < 0 ? null : new Table(name, number, since);
    }
  }

  /** In two steps: the second ends the handle even if its commit fails, and needs little room. */
  @Override
  public void dropTable(Table table) {
    drop(table, false);
    drop(table, true);
  }

  @Override
  public boolean clear(Table table) {
    return drop(table, false);
  }

  private boolean drop(Table table, boolean remove) {
    return environment.write(txn -> {
      txn.drop(table.number, remove);
      return true;
    });
  }

  @Override
  public byte @Nullable [] get(Table table, byte[] key) {
    return environment.read(txn -> txn.find(table.number, key) ? txn.copyValue() : null);
  }

  @Override
  public <R> @Nullable R get(Table table, byte[] key, ValueReader<R> reader) {
    return environment.read(txn -> txn.find(table.number, key) ? txn.lendValue(reader) : null);
  }

  @Override
  public EngineCursor cursor(Table table, Range<byte[]> range) {
    return cursor(environment.reader(), table.number, range);
  }

  /** Gives the reader back when it is closed. */
  private static MdbxCursor cursor(Transaction reader, int table, Range<byte[]> range) {
    try {
      MemorySegment cursor = reader.openCursor(table);
      return new MdbxCursor(cursor, reader, range, new ReentrantLock(), reader::close);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  @Override
  public void put(Table table, byte[] key, byte[] value) {
    environment.write(txn -> {
      txn.put(table.number, key, value);
      return true;
    });
  }

  @Override
  public void delete(Table table, byte[] key) {
    environment.write(txn -> {
      txn.delete(table.number, key);
      return true;
    });
  }

  @Override
  public void write(List<Write<Table>> writes) {
    environment.write(txn -> {
      for (Write<Table> write : writes) {
        byte[] value = write.value();
        if (value == null) {
          txn.delete(write.table().number, write.key());
        } else {
          txn.put(write.table().number, write.key(), value);
        }
      }
      return true;
    });
  }

  @Override
  public EngineSnapshot<Table> snapshot() {
    return new MdbxSnapshot(environment.reader());
  }

  @Override
  public void sync() {
    environment.sync();
  }

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {
    environment.close();
  }
}

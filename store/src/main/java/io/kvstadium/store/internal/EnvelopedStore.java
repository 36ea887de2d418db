package io.kvstadium.store.internal;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import io.kvstadium.store.engine.Failure;
import io.kvstadium.store.engine.Limits;
import io.kvstadium.store.engine.Options;
import io.kvstadium.store.engine.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An engine's store whose values have an {@link Envelope}; everything else is unchanged. */
final class EnvelopedStore<T extends EngineTable> extends EnvelopedReader<T>
    implements EngineStore<T> {
  private final EngineStore<T> store;
  private final EngineInfo engine;

  EnvelopedStore(EngineStore<T> store, EngineInfo engine) {
    super(store);
    this.store = store;
    this.engine = engine;
  }

  @Override
  public Limits limits() {
    Limits own = store.limits();
    Limits limits = own == null ? engine.limits() : own;
    return new Limits(
        limits.maxKeyBytes(),
        limits.maxValueBytes() - Envelope.LENGTH,
        Math.max(0, limits.minValueBytes() - Envelope.LENGTH));
  }

  @Override
  public void put(T table, byte[] key, byte[] value) throws Exception {
    store.put(table, key, Envelope.sealed(table.name(), key, value));
  }

  @Override
  public void delete(T table, byte[] key) throws Exception {
    store.delete(table, key);
  }

  @Override
  public void write(List<Write<T>> writes) throws Exception {
    List<Write<T>> sealed = new ArrayList<>(writes.size());
    for (Write<T> write : writes) {
      byte[] value = write.value();
      sealed.add(
          value == null
              ? write
              : new Write<>(
                  write.table(),
                  write.key(),
                  Envelope.sealed(write.table().name(), write.key(), value)));
    }
    store.write(sealed);
  }

  @Override
  public boolean exchange(T table, byte[] key, byte @Nullable [] expected, byte @Nullable [] value)
      throws Exception {
    return store.exchange(table, key, sealed(table, key, expected), sealed(table, key, value));
  }

  private byte @Nullable [] sealed(T table, byte[] key, byte @Nullable [] value) {
    return value == null ? null : Envelope.sealed(table.name(), key, value);
  }

  @Override
  public void load(T table, Iterator<Entry> entries, boolean sorted) throws Exception {
    store.load(table, Envelope.sealed(table.name(), entries), sorted);
  }

  @Override
  public EngineTransaction<T> begin(TransactionMode mode, Duration lockTimeout) throws Exception {
    return new EnvelopedTransaction<>(store.begin(mode, lockTimeout));
  }

  @Override
  public EngineSnapshot<T> snapshot() throws Exception {
    return new EnvelopedSnapshot<>(store.snapshot());
  }

  @Override
  public long delete(T table, Range range) throws Exception {
    return store.delete(table, range);
  }

  @Override
  public boolean clear(T table) throws Exception {
    return store.clear(table);
  }

  @Override
  public Set<Capability> capabilities() {
    return store.capabilities();
  }

  @Override
  public Durability durability() {
    return store.durability();
  }

  @Override
  public Set<String> tables() throws Exception {
    return store.tables();
  }

  @Override
  public @Nullable T openTable(String name, Options options, boolean create) throws Exception {
    return store.openTable(name, options, create);
  }

  @Override
  public void dropTable(T table) throws Exception {
    store.dropTable(table);
  }

  @Override
  public long count(T table) throws Exception {
    return store.count(table);
  }

  @Override
  public long estimateCount(T table) throws Exception {
    return store.estimateCount(table);
  }

  @Override
  public long sizeOnDisk() throws Exception {
    return store.sizeOnDisk();
  }

  @Override
  public long diskReserve() throws Exception {
    return store.diskReserve();
  }

  @Override
  public void sync() throws Exception {
    store.sync();
  }

  @Override
  public void compact(T table) throws Exception {
    store.compact(table);
  }

  @Override
  public boolean backup(BackupTarget target) throws Exception {
    return store.backup(target);
  }

  @Override
  public List<String> unseen() {
    return store.unseen();
  }

  @Override
  public String identity() throws Exception {
    return store.identity();
  }

  @Override
  public Map<String, String> stats() throws Exception {
    return store.stats();
  }

  @Override
  public @Nullable BackgroundWork background() throws Exception {
    return store.background();
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return store.classify(thrown);
  }

  @Override
  public void close() throws Exception {
    store.close();
  }
}

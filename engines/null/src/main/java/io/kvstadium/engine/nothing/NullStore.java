package io.kvstadium.engine.nothing;

import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Options;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Answers every read with the same value, or with none. */
final class NullStore implements EngineStore<NullStore.NullTable> {
  record NullTable(String name) implements EngineTable {}

  private final byte @Nullable [] value;

  NullStore(byte @Nullable [] value) {
    this.value = value;
  }

  @Override
  public byte @Nullable [] get(NullTable table, byte[] key) {
    return value;
  }

  @Override
  public void put(NullTable table, byte[] key, byte[] value) {}

  @Override
  public void delete(NullTable table, byte[] key) {}

  @Override
  public void write(List<Write<NullTable>> writes) {}

  @Override
  public boolean clear(NullTable table) {
    return true;
  }

  @Override
  public long count(NullTable table) {
    return 0;
  }

  @Override
  public EngineCursor cursor(NullTable table, Range<byte[]> range) {
    throw new UnsupportedOperationException("cursor");
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public NullTable openTable(String name, Options options, boolean create) {
    return new NullTable(name);
  }

  @Override
  public void dropTable(NullTable table) {}

  @Override
  public void sync() {}

  @Override
  public BackgroundWork background() {
    return BackgroundWork.NONE;
  }

  @Override
  public void close() {}
}

package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.help.NamedTable;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads from the root that is current at the time of the call. */
interface RootReader extends EngineReader<NamedTable> {
  Root root();

  @Override
  default byte @Nullable [] get(NamedTable table, byte[] key) {
    byte[] value = root().get(table, key);
    return value == null ? null : value.clone();
  }

  @Override
  default <R> @Nullable R get(NamedTable table, byte[] key, ValueReader<R> reader) {
    byte[] value = root().get(table, key);
    return value == null ? null : reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  @Override
  default boolean contains(NamedTable table, byte[] key) {
    return root().get(table, key) != null;
  }

  @Override
  default EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return new MemoryCursor(root(), table, range);
  }
}

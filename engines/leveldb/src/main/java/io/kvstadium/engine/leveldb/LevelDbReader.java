package io.kvstadium.engine.leveldb;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.help.NamedTable;
import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads of the latest state or of a snapshot, as the library's options for reading say. */
class LevelDbReader implements EngineReader<NamedTable> {
  final MemorySegment db;
  final MemorySegment reads;

  LevelDbReader(MemorySegment db, MemorySegment reads) {
    this.db = db;
    this.reads = reads;
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) {
    Call call = Call.mine();
    MemorySegment value = find(call, key);
    if (value.equals(MemorySegment.NULL)) {
      return null;
    }
    byte[] copy = NativeFunctions.copy(value, call.arguments.length());
    LevelDb.FREE.call(value);
    return copy;
  }

  @Override
  public <R> @Nullable R get(NamedTable table, byte[] key, ValueReader<R> reader) {
    Call call = Call.mine();
    MemorySegment value = find(call, key);
    if (value.equals(MemorySegment.NULL)) {
      return null;
    }
    try {
      return NativeFunctions.lend(value, call.arguments.length(), reader);
    } finally {
      LevelDb.FREE.call(value);
    }
  }

  @Override
  public boolean contains(NamedTable table, byte[] key) {
    MemorySegment value = find(Call.mine(), key);
    LevelDb.FREE.call(value);
    return !value.equals(MemorySegment.NULL);
  }

  /** The value, which the caller frees, with its length in the arguments; or a null pointer. */
  private MemorySegment find(Call call, byte[] key) {
    MemorySegment value =
        LevelDb.GET.call(
            db, reads, call.arguments.hold(key), key.length, call.arguments.returned(), call.error);
    call.check("get");
    return value;
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return new LevelDbCursor(LevelDb.NEW_ITERATOR.call(db, reads), range);
  }
}

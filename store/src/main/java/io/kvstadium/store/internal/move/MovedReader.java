package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTable;
import org.jspecify.annotations.Nullable;

/** Reads of one of the two stores, from a snapshot or inside a transaction, until it ends. */
abstract class MovedReader implements EngineReader<MovedTable> {
  final Side side;
  private final EngineReader<EngineTable> reader;

  MovedReader(Side side, EngineReader<EngineTable> reader) {
    this.side = side;
    this.reader = reader;
  }

  /** A table that was made after a change-over may be unknown to the store that was used before. */
  EngineTable handle(MovedTable table) {
    EngineTable known = table.handles[side.index];
    return known == null ? side.made(table.name()) : known;
  }

  @Override
  public byte @Nullable [] get(MovedTable table, byte[] key) throws Exception {
    return reader.get(handle(table), key);
  }

  @Override
  public <R> @Nullable R get(MovedTable table, byte[] key, ValueReader<R> valueReader)
      throws Exception {
    return reader.get(handle(table), key, valueReader);
  }

  @Override
  public int head(MovedTable table, byte[] key, byte[] into) throws Exception {
    return reader.head(handle(table), key, into);
  }

  @Override
  public byte[] @Nullable [] multiGet(MovedTable table, byte[][] keys) throws Exception {
    return reader.multiGet(handle(table), keys);
  }

  @Override
  public boolean contains(MovedTable table, byte[] key) throws Exception {
    return reader.contains(handle(table), key);
  }

  @Override
  public EngineCursor cursor(MovedTable table, Range<byte[]> range) throws Exception {
    return reader.cursor(handle(table), range);
  }

  /** Of a snapshot. */
  static final class OfSnapshot extends MovedReader implements EngineSnapshot<MovedTable> {
    private final EngineSnapshot<EngineTable> snapshot;

    OfSnapshot(Side side, EngineSnapshot<EngineTable> snapshot) {
      super(side, snapshot);
      this.snapshot = snapshot;
    }

    @Override
    public void close() throws Exception {
      snapshot.close();
    }
  }
}

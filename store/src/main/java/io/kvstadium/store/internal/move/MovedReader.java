package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTable;
import org.jspecify.annotations.Nullable;

/** Reads of one of the two stores: the one that is used now, or that was when something began. */
abstract class MovedReader implements EngineReader<MovedTable> {
  /** The store that is read. */
  abstract Side side();

  /** What reads it. */
  abstract EngineReader<EngineTable> reader(Side side);

  /** A table that was made after a change-over may be unknown to the store that was used before. */
  static EngineTable handle(Side side, MovedTable table) {
    EngineTable known = table.handles[side.index];
    return known == null ? side.made(table.name()) : known;
  }

  @Override
  public byte @Nullable [] get(MovedTable table, byte[] key) throws Exception {
    Side side = side();
    return reader(side).get(handle(side, table), key);
  }

  @Override
  public <R> @Nullable R get(MovedTable table, byte[] key, ValueReader<R> valueReader)
      throws Exception {
    Side side = side();
    return reader(side).get(handle(side, table), key, valueReader);
  }

  @Override
  public int head(MovedTable table, byte[] key, byte[] into) throws Exception {
    Side side = side();
    return reader(side).head(handle(side, table), key, into);
  }

  @Override
  public byte[] @Nullable [] multiGet(MovedTable table, byte[][] keys) throws Exception {
    Side side = side();
    return reader(side).multiGet(handle(side, table), keys);
  }

  @Override
  public boolean contains(MovedTable table, byte[] key) throws Exception {
    Side side = side();
    return reader(side).contains(handle(side, table), key);
  }

  @Override
  public EngineCursor cursor(MovedTable table, Range<byte[]> range) throws Exception {
    Side side = side();
    return reader(side).cursor(handle(side, table), range);
  }

  /** Of a snapshot, or of a transaction. */
  static class Fixed extends MovedReader {
    private final Side side;
    private final EngineReader<EngineTable> reader;

    Fixed(Side side, EngineReader<EngineTable> reader) {
      this.side = side;
      this.reader = reader;
    }

    @Override
    Side side() {
      return side;
    }

    @Override
    EngineReader<EngineTable> reader(Side unused) {
      return reader;
    }
  }

  /** Of a snapshot. */
  static final class OfSnapshot extends Fixed implements EngineSnapshot<MovedTable> {
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

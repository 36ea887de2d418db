package io.kvstadium.store.internal;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineReader;
import io.kvstadium.store.engine.EngineSnapshot;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.EngineTransaction;
import org.jspecify.annotations.Nullable;

/** An engine's store, snapshot or transaction whose values have an {@link Envelope}. */
class EnvelopedReader<T extends EngineTable> implements EngineReader<T> {
  private final EngineReader<T> reader;

  EnvelopedReader(EngineReader<T> reader) {
    this.reader = reader;
  }

  @Override
  public byte @Nullable [] get(T table, byte[] key) throws Exception {
    return Envelope.opened(table.name(), key, reader.get(table, key));
  }

  @Override
  public <R> @Nullable R get(T table, byte[] key, ValueReader<R> valueReader) throws Exception {
    return reader.get(
        table, key, sealed -> valueReader.read(Envelope.opened(table.name(), key, sealed)));
  }

  @Override
  public byte[] @Nullable [] getAll(T table, byte[][] keys) throws Exception {
    byte[] @Nullable [] values = reader.getAll(table, keys);
    byte[] @Nullable [] opened = new byte[keys.length] @Nullable [];
    for (int i = 0; i < keys.length; i++) {
      opened[i] = Envelope.opened(table.name(), keys[i], values[i]);
    }
    return opened;
  }

  @Override
  public boolean exists(T table, byte[] key) throws Exception {
    return reader.exists(table, key);
  }

  @Override
  public EngineCursor cursor(T table, Range range) throws Exception {
    EngineCursor cursor = reader.cursor(table, range);
    return range.withoutValues() ? cursor : new EnvelopedCursor(cursor, table.name());
  }

  /** Reads the key for each value, since the checksum is of both. */
  private record EnvelopedCursor(EngineCursor cursor, String table) implements EngineCursor {
    @Override
    public boolean next() throws Exception {
      return cursor.next();
    }

    @Override
    public byte[] key() throws Exception {
      return cursor.key();
    }

    @Override
    public byte[] value() throws Exception {
      byte[] key = cursor.key();
      byte[] value = Envelope.opened(table, key, cursor.value());
      return java.util.Objects.requireNonNull(value);
    }

    @Override
    public <R extends @Nullable Object> R value(ValueReader<R> reader) throws Exception {
      byte[] key = cursor.key();
      return cursor.value(sealed -> reader.read(Envelope.opened(table, key, sealed)));
    }

    @Override
    public boolean canSeek() {
      return cursor.canSeek();
    }

    @Override
    public boolean seek(byte[] key) throws Exception {
      return cursor.seek(key);
    }

    @Override
    public void close() throws Exception {
      cursor.close();
    }
  }

  static final class EnvelopedSnapshot<T extends EngineTable> extends EnvelopedReader<T>
      implements EngineSnapshot<T> {
    private final EngineSnapshot<T> snapshot;

    EnvelopedSnapshot(EngineSnapshot<T> snapshot) {
      super(snapshot);
      this.snapshot = snapshot;
    }

    @Override
    public void close() throws Exception {
      snapshot.close();
    }
  }

  static final class EnvelopedTransaction<T extends EngineTable> extends EnvelopedReader<T>
      implements EngineTransaction<T> {
    private final EngineTransaction<T> transaction;

    EnvelopedTransaction(EngineTransaction<T> transaction) {
      super(transaction);
      this.transaction = transaction;
    }

    @Override
    public void put(T table, byte[] key, byte[] value) throws Exception {
      transaction.put(table, key, Envelope.sealed(table.name(), key, value));
    }

    @Override
    public void delete(T table, byte[] key) throws Exception {
      transaction.delete(table, key);
    }

    @Override
    public void commit() throws Exception {
      transaction.commit();
    }

    @Override
    public void close() throws Exception {
      transaction.close();
    }
  }
}

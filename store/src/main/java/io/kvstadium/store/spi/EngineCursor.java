package io.kvstadium.store.spi;

import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Walks over entries; stands before the first one at first. One thread at a time. */
public interface EngineCursor extends AutoCloseable {
  /** Steps on; {@code false} at the end, after which it is not called again. */
  boolean next();

  /** A copy of the current key; called only after {@code next()} returned true. */
  byte[] key();

  /** A copy of the current value; called only after {@code next()} returned true. */
  byte[] value();

  /** Lends the current value; see {@link EngineReader#get(EngineTable, byte[], ValueReader)}. */
  default <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(value()).asReadOnly());
  }

  @Override
  void close();

  /** Over nothing: of a table that a snapshot does not know yet, say. */
  static EngineCursor empty() {
    return new EngineCursor() {
      @Override
      public boolean next() {
        return false;
      }

      @Override
      public byte[] key() {
        throw new IllegalStateException("there are no entries");
      }

      @Override
      public byte[] value() {
        throw new IllegalStateException("there are no entries");
      }

      @Override
      public void close() {}
    };
  }
}

package io.kvstadium.store.engine;

import io.kvstadium.store.EntryReader;
import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Walks over entries; starts before the first one. Used by one thread at a time. */
public interface EngineCursor extends AutoCloseable {
  /** Moves to the next entry; {@code false} at the end, after which it is not called again. */
  boolean next() throws Exception;

  /** A copy of the current key; called only after {@code next()} returned true. */
  byte[] key() throws Exception;

  /** A copy of the current value; called only after {@code next()} returned true. */
  byte[] value() throws Exception;

  /**
   * A zero-copy read of the current value; see {@link EngineReader#get(EngineTable, byte[],
   * ValueReader)}.
   */
  default <R extends @Nullable Object> R value(ValueReader<R> reader) throws Exception {
    return reader.read(MemorySegment.ofArray(value()).asReadOnly());
  }

  /**
   * A zero-copy read of the current entry.
   *
   * @param withValue whether the reader is to get the value, too; else an empty segment
   * @return what the reader returns
   */
  default boolean read(EntryReader reader, boolean withValue) throws Exception {
    return reader.read(
        MemorySegment.ofArray(key()).asReadOnly(),
        withValue ? MemorySegment.ofArray(value()).asReadOnly() : MemorySegment.NULL);
  }

  /**
   * Whether {@link #immutableKey} and {@link #immutableValue} return the engine's own arrays, which
   * nobody changes any more, and what the cursor sees was fixed when it was opened. Then the
   * library may advance it before it is asked to, and hand out copies of what it passed later: one
   * check of the guards for many entries. For engines whose entries are on the heap; the same for
   * the cursor's whole life.
   */
  default boolean isImmutable() {
    return false;
  }

  /**
   * The current key itself, a {@code byte[]} that must only be read; if {@link #isImmutable}. An
   * object, so that no cast looks at it: that would be a cache miss for an entry not needed yet.
   */
  default Object immutableKey() throws Exception {
    throw new UnsupportedOperationException("immutableKey");
  }

  /** The current value itself, a {@code byte[]} like the key's; if {@link #isImmutable}. */
  default Object immutableValue() throws Exception {
    throw new UnsupportedOperationException("immutableValue");
  }

  /** Whether {@link #seek} works; otherwise the library opens another cursor instead. */
  default boolean canSeek() {
    return false;
  }

  /**
   * Moves, forwards or backwards, to the first entry of its range at or after {@code key} in its
   * direction: the least one not below it, or in reverse the greatest one not above it. Called at
   * any time, even before the first {@link #next} and after the end, if {@link #canSeek}.
   *
   * @param key a key within the range, or the bound at which it begins, even if that is exclusive;
   *     then an entry with this key may be found too
   * @return whether there is one; if not, only this method may be called again
   */
  default boolean seek(byte[] key) throws Exception {
    throw new UnsupportedOperationException("seek");
  }

  @Override
  void close() throws Exception;

  /** Returns a cursor over nothing, for example for a table that a snapshot does not know yet. */
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

package io.kvstadium.store.internal.view;

import io.kvstadium.store.EntryReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The application's reader of entries: what it throws says nothing about the engine. */
final class CallbackEntries implements EntryReader {
  private final EntryReader reader;
  private long count;
  private long bytes;
  private @Nullable Throwable thrown;

  CallbackEntries(EntryReader reader) {
    this.reader = reader;
  }

  @Override
  public boolean read(MemorySegment key, MemorySegment value) {
    count++;
    bytes += key.byteSize() + value.byteSize();
    try {
      return reader.read(key, value);
    } catch (Throwable e) {
      thrown = e;
      throw e;
    }
  }

  /** How many entries it has read. */
  long count() {
    return count;
  }

  /** The bytes of keys and values since the last call. */
  long newBytes() {
    long since = bytes;
    bytes = 0;
    return since;
  }

  /** Whether it was the reader that threw this. */
  @SuppressWarnings("ReferenceEquality") // an exception is its identity
  boolean threw(Throwable e) {
    return e == thrown;
  }
}

package io.kvstadium.store.internal.view;

import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The application's reader of a value: what it throws says nothing about the engine. */
final class CallbackReader<R extends @Nullable Object> implements ValueReader<R> {
  private final ValueReader<R> reader;
  private long size = -1;
  private @Nullable Throwable thrown;

  CallbackReader(ValueReader<R> reader) {
    this.reader = reader;
  }

  @Override
  public R read(MemorySegment value) {
    size = value.byteSize();
    try {
      return reader.read(value);
    } catch (Throwable e) {
      thrown = e;
      throw e;
    }
  }

  /** How many bytes the last value had; -1 if there was none. */
  long size() {
    return size;
  }

  /** Whether it was the reader that threw this. */
  @SuppressWarnings("ReferenceEquality") // an exception is its identity
  boolean threw(Throwable e) {
    return e == thrown;
  }

  /** Other languages throw checked exceptions without declaring them. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException throwAsIs(Throwable e) throws E {
    throw (E) e;
  }
}

package io.kvstadium.store.internal;

import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The application's reader of a lent value: what it throws says nothing about the engine. */
final class Lending<R extends @Nullable Object> implements ValueReader<R> {
  private final ValueReader<R> reader;
  private long size;
  private @Nullable Throwable thrown;

  Lending(ValueReader<R> reader) {
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

  /** How many bytes were lent last. */
  long size() {
    return size;
  }

  /**
   * What to throw for the failure of a call that lent a value; what the reader threw, unchanged.
   */
  @SuppressWarnings("ReferenceEquality") // an exception is its identity
  RuntimeException failed(Throwable e, Function<Throwable, RuntimeException> otherwise) {
    if (e != thrown) {
      return otherwise.apply(e);
    }
    Lending.<RuntimeException>throwAsIs(e);
    throw new AssertionError("not reached", e);
  }

  /** The same for a call through an access, which notes either failure. */
  @SuppressWarnings("ReferenceEquality") // an exception is its identity
  RuntimeException failed(Throwable e, Access access) {
    if (e == thrown) {
      access.callFailed(e);
    }
    return failed(e, failure -> access.failed(failure, false));
  }

  /** Other languages throw checked exceptions without declaring them. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void throwAsIs(Throwable e) throws E {
    throw (E) e;
  }
}

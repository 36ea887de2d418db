package io.kvstadium.engine.leveldb;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.help.NativeFunctions;
import io.kvstadium.store.engine.help.SeekCursor;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A walk of the library's iterator, which sees the state at its making. */
final class LevelDbCursor extends SeekCursor<RuntimeException> {
  private final MemorySegment iterator;

  LevelDbCursor(MemorySegment iterator, Range<byte[]> range) {
    super(range);
    this.iterator = iterator;
  }

  @Override
  protected boolean first() {
    return move(LevelDb.FIRST);
  }

  @Override
  protected boolean last() {
    return move(LevelDb.LAST);
  }

  @Override
  protected boolean ceiling(byte[] bound) {
    LevelDb.SEEK.call(iterator, Call.mine().arguments.hold(bound), bound.length);
    return arrive(LevelDb.IS_VALID.call(iterator));
  }

  @Override
  protected boolean following() {
    return move(LevelDb.NEXT);
  }

  @Override
  protected boolean previous() {
    return move(LevelDb.PREVIOUS);
  }

  private boolean move(LevelDb.Use function) {
    function.call(iterator);
    return arrive(LevelDb.IS_VALID.call(iterator));
  }

  private boolean arrive(boolean found) {
    if (!found) {
      check();
    }
    return found;
  }

  /** The library walks past a block that it cannot read, and says so when it is asked. */
  private void check() {
    Call call = Call.mine();
    LevelDb.ITERATOR_ERROR.call(iterator, call.error);
    call.check("scan");
  }

  @Override
  protected byte[] readKey() {
    return copy(LevelDb.KEY);
  }

  @Override
  public byte[] value() {
    return copy(LevelDb.VALUE);
  }

  private byte[] copy(LevelDb.Find part) {
    Call call = Call.mine();
    MemorySegment bytes = part.call(iterator, call.arguments.returned());
    return NativeFunctions.copy(bytes, call.arguments.length());
  }

  /**
   * In place: the library's bytes stay until the next movement, which the library's caller makes.
   */
  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    Call call = Call.mine();
    MemorySegment bytes = LevelDb.VALUE.call(iterator, call.arguments.returned());
    return NativeFunctions.lend(bytes, call.arguments.length(), reader);
  }

  /** Says of a block that it could not read, even if nobody walked to the end. */
  @Override
  public void close() {
    try {
      check();
    } finally {
      LevelDb.END_ITERATOR.call(iterator);
    }
  }
}

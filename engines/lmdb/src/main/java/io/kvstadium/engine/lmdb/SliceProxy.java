package io.kvstadium.engine.lmdb;

import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.BufferProxy;

/** Teaches the binding to pass keys and values as {@link Slice}s. */
final class SliceProxy extends BufferProxy<Slice> {
  private static final Comparator<Slice> UNSIGNED = (a, b) -> a.compareTo(b.toArray());

  @Override
  protected Slice allocate() {
    return new Slice();
  }

  @Override
  protected void deallocate(Slice slice) {
    // it owns nothing
  }

  @Override
  protected byte[] getBytes(Slice slice) {
    return slice.toArray();
  }

  @Override
  protected Comparator<Slice> getSignedComparator() {
    return UNSIGNED; // only for the binding's own iterators, and theirs must be LMDB's order too
  }

  @Override
  protected Comparator<Slice> getUnsignedComparator() {
    return UNSIGNED;
  }

  @Override
  protected @Nullable Pointer in(Slice slice, Pointer val) {
    set(val.address(), slice.length, slice.address);
    return null; // there is no transient memory to keep alive
  }

  @Override
  protected @Nullable Pointer in(Slice slice, int size, Pointer val) {
    set(val.address(), size, 0);
    return null; // there is no transient memory to keep alive
  }

  @Override
  protected Slice out(Slice slice, Pointer val) {
    long at = val.address();
    slice.length = Slice.MEMORY.get(ValueLayout.JAVA_LONG, at + STRUCT_FIELD_OFFSET_SIZE);
    slice.address = Slice.MEMORY.get(ValueLayout.JAVA_LONG, at + STRUCT_FIELD_OFFSET_DATA);
    return slice;
  }

  private static void set(long at, long length, long address) {
    Slice.MEMORY.set(ValueLayout.JAVA_LONG, at + STRUCT_FIELD_OFFSET_SIZE, length);
    Slice.MEMORY.set(ValueLayout.JAVA_LONG, at + STRUCT_FIELD_OFFSET_DATA, address);
  }
}

package io.kvstadium.engine.qdbm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.store.engine.Options;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A hash table: the library's API Depot. */
final class Depot extends QdbmTable {
  private static final MethodHandle OPEN =
      Native.function("dpopen", ADDRESS, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = Native.number("dpclose");
  private static final MethodHandle GET =
      Native.function("dpget", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle PUT =
      Native.function("dpput", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle OUT =
      Native.function("dpout", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle VALUE_SIZE =
      Native.function("dpvsiz", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle COUNT = Native.number("dprnum");
  private static final MethodHandle FILE_SIZE = Native.number("dpfsiz");
  private static final MethodHandle SYNC = Native.number("dpsync");
  private static final MethodHandle OPTIMIZE =
      Native.function("dpoptimize", JAVA_INT, ADDRESS, JAVA_INT);

  private final int buckets;

  Depot(String name, Path path, Options options) {
    super(name, path);
    this.buckets = (int) options.integer("buckets");
  }

  @Override
  MemorySegment open(MemorySegment path, int mode) {
    return (MemorySegment) Native.call(OPEN, path, mode, buckets);
  }

  @Override
  boolean closeHandle(MemorySegment handle) {
    return Native.number(CLOSE, handle) != 0;
  }

  @Override
  byte @Nullable [] get(MemorySegment handle, MemorySegment key, int keyLength) {
    MemorySegment value;
    try {
      value = (MemorySegment) GET.invokeExact(handle, key, keyLength, 0, -1, length);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
    if (value.equals(MemorySegment.NULL)) {
      return null;
    }
    byte[] copy = Native.copy(value, length.get(JAVA_INT, 0));
    Native.free(value);
    return copy;
  }

  @Override
  boolean put(MemorySegment handle, MemorySegment key, int keyLength, int valueLength) {
    return Native.put(PUT, handle, key, keyLength, key.asSlice(keyLength), valueLength);
  }

  @Override
  boolean out(MemorySegment handle, MemorySegment key, int keyLength) {
    return Native.number(OUT, handle, key, keyLength) != 0;
  }

  @Override
  boolean contains(MemorySegment handle, MemorySegment key, int keyLength) {
    return Native.number(VALUE_SIZE, handle, key, keyLength) >= 0;
  }

  @Override
  int count(MemorySegment handle) {
    return Native.number(COUNT, handle);
  }

  @Override
  int fileSize(MemorySegment handle) {
    return Native.number(FILE_SIZE, handle);
  }

  @Override
  long unwritten() {
    return 0;
  }

  @Override
  boolean flush(MemorySegment handle) {
    return true; // every write goes to the file
  }

  @Override
  boolean sync(MemorySegment handle) {
    return Native.number(SYNC, handle) != 0;
  }

  @Override
  boolean optimize(MemorySegment handle) {
    return (int) Native.call(OPTIMIZE, handle, -1) != 0;
  }
}

package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The library's functions of a B+ tree. */
final class Tree {
  static final MethodHandle CREATE = Native.function("tcbdbnew", ADDRESS);
  static final MethodHandle DELETE = Native.function("tcbdbdel", null, ADDRESS);
  static final MethodHandle MAKE_THREAD_SAFE = Native.test("tcbdbsetmutex");
  static final MethodHandle SET_CACHE =
      Native.function("tcbdbsetcache", JAVA_BOOLEAN, ADDRESS, JAVA_INT, JAVA_INT);
  static final MethodHandle MAP_MORE =
      Native.function("tcbdbsetxmsiz", JAVA_BOOLEAN, ADDRESS, JAVA_LONG);
  static final MethodHandle OPEN =
      Native.function("tcbdbopen", JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT);
  static final MethodHandle CLOSE = Native.test("tcbdbclose");
  static final MethodHandle SYNC = Native.test("tcbdbsync");
  static final MethodHandle BEGIN = Native.test("tcbdbtranbegin");
  static final MethodHandle COMMIT = Native.test("tcbdbtrancommit");
  static final MethodHandle ABORT = Native.test("tcbdbtranabort");
  static final MethodHandle COUNT = Native.function("tcbdbrnum", JAVA_LONG, ADDRESS);

  private static final MethodHandle GET =
      Native.function("tcbdbget", ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
  private static final MethodHandle PUT =
      Native.function("tcbdbput", JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle OUT =
      Native.function("tcbdbout", JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle VALUE_SIZE =
      Native.function("tcbdbvsiz", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle ERROR = Native.function("tcbdbecode", JAVA_INT, ADDRESS);

  /** Takes members of leaves and nodes, buckets, alignment, pool, options. */
  private static final MethodHandle TUNE =
      Native.function(
          "tcbdbtune",
          JAVA_BOOLEAN,
          ADDRESS,
          JAVA_INT,
          JAVA_INT,
          JAVA_LONG,
          JAVA_BYTE,
          JAVA_BYTE,
          JAVA_BYTE);

  private Tree() {}

  /** The value, which must be freed, or a null pointer. */
  static MemorySegment get(
      MemorySegment database, MemorySegment key, int length, MemorySegment size) {
    try {
      return (MemorySegment) GET.invokeExact(database, key, length, size);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static boolean put(
      MemorySegment database, MemorySegment key, int length, MemorySegment value, int size) {
    try {
      return (boolean) PUT.invokeExact(database, key, length, value, size);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  static boolean out(MemorySegment database, MemorySegment key, int length) {
    return Native.test(OUT, database, key, length);
  }

  static boolean contains(MemorySegment database, MemorySegment key, int length) {
    try {
      return (int) VALUE_SIZE.invokeExact(database, key, length) >= 0;
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** Sets the options, and leaves the library's own values otherwise. */
  static void tune(MemorySegment database, byte options) {
    byte usual = -1;
    var _ = Native.call(TUNE, database, 0, 0, 0L, usual, usual, options);
  }

  /** The code of the calling thread's last error. */
  static int error(MemorySegment database) {
    try {
      return (int) ERROR.invokeExact(database);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

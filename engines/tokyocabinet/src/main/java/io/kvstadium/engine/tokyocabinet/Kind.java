package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The library's two kinds of database, whose functions differ only in their names. */
enum Kind {
  BTREE("tcbdb", "store.tcb"),
  HASH("tchdb", "store.tch");

  // Static, since only then the compiler sees through them.
  private static final MethodHandle BTREE_GET = getter("tcbdbget");
  private static final MethodHandle HASH_GET = getter("tchdbget");
  private static final MethodHandle BTREE_PUT = putter("tcbdbput");
  private static final MethodHandle HASH_PUT = putter("tchdbput");
  private static final MethodHandle BTREE_OUT = remover("tcbdbout");
  private static final MethodHandle HASH_OUT = remover("tchdbout");

  /** The database's file in the store's directory. */
  final String file;

  final MethodHandle create;
  final MethodHandle delete;
  final MethodHandle makeThreadSafe;
  final MethodHandle mapMore;
  final MethodHandle open;
  final MethodHandle close;
  final MethodHandle sync;
  final MethodHandle begin;
  final MethodHandle commit;
  final MethodHandle abort;
  final MethodHandle copy;
  private final MethodHandle tune;
  private final MethodHandle optimize;
  private final MethodHandle valueSize;
  private final MethodHandle count;
  private final MethodHandle error;

  Kind(String prefix, String file) {
    this.file = file;
    create = Native.function(prefix + "new", ADDRESS);
    delete = Native.function(prefix + "del", null, ADDRESS);
    makeThreadSafe = Native.test(prefix + "setmutex");
    mapMore = Native.function(prefix + "setxmsiz", JAVA_BOOLEAN, ADDRESS, JAVA_LONG);
    open = Native.function(prefix + "open", JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT);
    close = Native.test(prefix + "close");
    sync = Native.test(prefix + "sync");
    begin = Native.test(prefix + "tranbegin");
    commit = Native.test(prefix + "trancommit");
    abort = Native.test(prefix + "tranabort");
    copy = Native.function(prefix + "copy", JAVA_BOOLEAN, ADDRESS, ADDRESS);
    tune = shaper(prefix + "tune");
    optimize = shaper(prefix + "optimize");
    valueSize = Native.function(prefix + "vsiz", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    count = Native.function(prefix + "rnum", JAVA_LONG, ADDRESS);
    error = Native.function(prefix + "ecode", JAVA_INT, ADDRESS);
  }

  private static MethodHandle getter(String name) {
    return Native.function(name, ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS);
  }

  private static MethodHandle putter(String name) {
    return Native.function(name, JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
  }

  private static MethodHandle remover(String name) {
    return Native.function(name, JAVA_BOOLEAN, ADDRESS, ADDRESS, JAVA_INT);
  }

  /** A function that takes the shape of a database: members of leaves and nodes only for trees. */
  private static MethodHandle shaper(String name) {
    return name.startsWith("tcb")
        ? Native.function(
            name,
            JAVA_BOOLEAN,
            ADDRESS,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            JAVA_BYTE,
            JAVA_BYTE,
            JAVA_BYTE)
        : Native.function(name, JAVA_BOOLEAN, ADDRESS, JAVA_LONG, JAVA_BYTE, JAVA_BYTE, JAVA_BYTE);
  }

  /** The value, which must be freed, or a null pointer. */
  MemorySegment get(MemorySegment database, MemorySegment key, int length, MemorySegment size) {
    try {
      return this == BTREE
          ? (MemorySegment) BTREE_GET.invokeExact(database, key, length, size)
          : (MemorySegment) HASH_GET.invokeExact(database, key, length, size);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  boolean put(
      MemorySegment database, MemorySegment key, int length, MemorySegment value, int size) {
    try {
      return this == BTREE
          ? (boolean) BTREE_PUT.invokeExact(database, key, length, value, size)
          : (boolean) HASH_PUT.invokeExact(database, key, length, value, size);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  boolean out(MemorySegment database, MemorySegment key, int length) {
    return this == BTREE
        ? Native.test(BTREE_OUT, database, key, length)
        : Native.test(HASH_OUT, database, key, length);
  }

  boolean contains(MemorySegment database, MemorySegment key, int length) {
    try {
      return (int) valueSize.invokeExact(database, key, length) >= 0;
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  /** Called before it is opened; zero buckets mean the library's default. */
  boolean tune(MemorySegment database, long buckets, byte options) {
    return shape(tune, database, buckets, options);
  }

  /** Optimizes with as many buckets as the library finds right, and the options that it has. */
  boolean optimize(MemorySegment database) {
    return shape(optimize, database, 0, (byte) -1);
  }

  private boolean shape(MethodHandle shaper, MemorySegment database, long buckets, byte options) {
    byte usual = -1; // alignment and free block pool
    return (boolean)
        (this == BTREE
            ? Native.call(shaper, database, 0, 0, buckets, usual, usual, options)
            : Native.call(shaper, database, buckets, usual, usual, options));
  }

  long count(MemorySegment database) {
    return (long) Native.call(count, database);
  }

  /** The code of the calling thread's last error. */
  int error(MemorySegment database) {
    try {
      return (int) error.invokeExact(database);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}

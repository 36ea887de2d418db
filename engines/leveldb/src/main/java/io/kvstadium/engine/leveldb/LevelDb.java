package io.kvstadium.engine.leveldb;

import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.MemorySegment;

/**
 * The library's functions. A failure is a text that they put at {@code error}; see {@link Call}.
 */
final class LevelDb {
  static final String LIBRARY = "libleveldb.so.1d";
  private static final NativeFunctions FUNCTIONS = new NativeFunctions(LIBRARY);

  static final Open OPEN = function("open", Open.class);
  static final Use CLOSE = function("close", Use.class);
  static final Get GET = function("get", Get.class);
  static final Put PUT = function("put", Put.class);
  static final Delete DELETE = function("delete", Delete.class);
  static final Write WRITE = function("write", Write.class);
  static final Compact COMPACT = function("compact_range", Compact.class);
  static final Find PROPERTY = function("property_value", Find.class);
  static final Use FREE = function("free", Use.class);

  static final Make NEW_BATCH = function("writebatch_create", Make.class);
  static final Use END_BATCH = function("writebatch_destroy", Use.class);
  static final PutInto BATCH_PUT = function("writebatch_put", PutInto.class);
  static final UseKey BATCH_DELETE = function("writebatch_delete", UseKey.class);

  static final MakeOf NEW_SNAPSHOT = function("create_snapshot", MakeOf.class);
  static final Pair END_SNAPSHOT = function("release_snapshot", Pair.class);

  static final Find NEW_ITERATOR = function("create_iterator", Find.class);
  static final Use END_ITERATOR = function("iter_destroy", Use.class);
  static final Test IS_VALID = function("iter_valid", Test.class);
  static final Use FIRST = function("iter_seek_to_first", Use.class);
  static final Use LAST = function("iter_seek_to_last", Use.class);
  static final Use NEXT = function("iter_next", Use.class);
  static final Use PREVIOUS = function("iter_prev", Use.class);
  static final UseKey SEEK = function("iter_seek", UseKey.class);
  static final Find KEY = function("iter_key", Find.class);
  static final Find VALUE = function("iter_value", Find.class);
  static final Pair ITERATOR_ERROR = function("iter_get_error", Pair.class);

  private LevelDb() {}

  /** A function of the library by its name without the prefix that all have. */
  static <F> F function(String name, Class<F> form) {
    return FUNCTIONS.function("leveldb_" + name, form);
  }

  /** Makes an object. */
  public interface Make {
    MemorySegment call();
  }

  /** Makes an object of another one. */
  public interface MakeOf {
    MemorySegment call(MemorySegment object);
  }

  /** Returns an object, or a pointer to bytes, for a second argument. */
  public interface Find {
    MemorySegment call(MemorySegment object, MemorySegment argument);
  }

  /** Does something with an object, or ends it. */
  public interface Use {
    void call(MemorySegment object);
  }

  /** Does something with two objects. */
  public interface Pair {
    void call(MemorySegment object, MemorySegment argument);
  }

  /** Does something with an object and a key. */
  public interface UseKey {
    void call(MemorySegment object, MemorySegment key, long length);
  }

  /** Tests an object. */
  public interface Test {
    boolean call(MemorySegment object);
  }

  /** Opens a database. */
  public interface Open {
    MemorySegment call(MemorySegment options, MemorySegment directory, MemorySegment error);
  }

  /** Returns the value, which must be freed, or a null pointer. */
  public interface Get {
    MemorySegment call(
        MemorySegment db,
        MemorySegment options,
        MemorySegment key,
        long length,
        MemorySegment size,
        MemorySegment error);
  }

  /** Puts an entry. */
  public interface Put {
    void call(
        MemorySegment db,
        MemorySegment options,
        MemorySegment key,
        long length,
        MemorySegment value,
        long size,
        MemorySegment error);
  }

  /** Puts an entry into a batch. */
  public interface PutInto {
    void call(MemorySegment batch, MemorySegment key, long length, MemorySegment value, long size);
  }

  /** Deletes an entry. */
  public interface Delete {
    void call(
        MemorySegment db,
        MemorySegment options,
        MemorySegment key,
        long length,
        MemorySegment error);
  }

  /** Writes a batch. */
  public interface Write {
    void call(MemorySegment db, MemorySegment options, MemorySegment batch, MemorySegment error);
  }

  /** Compacts from one key to another; null pointers are the ends. */
  public interface Compact {
    void call(
        MemorySegment db, MemorySegment from, long fromLength, MemorySegment to, long toLength);
  }
}

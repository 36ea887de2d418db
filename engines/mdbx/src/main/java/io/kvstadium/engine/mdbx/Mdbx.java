package io.kvstadium.engine.mdbx;

import io.kvstadium.store.engine.help.NativeFunctions;
import java.lang.foreign.MemorySegment;

/** The library's functions, which return 0 or an error's number. */
final class Mdbx {
  static final String LIBRARY = "libmdbx.so";
  private static final NativeFunctions FUNCTIONS = new NativeFunctions(LIBRARY);

  static final Use CREATE = function("env_create", Use.class);
  static final Open OPEN = function("env_open", Open.class);
  static final Use CLOSE = function("env_close", Use.class);
  static final Geometry GEOMETRY = function("env_set_geometry", Geometry.class);
  static final SetNumber MAX_TABLES = function("env_set_maxdbs", SetNumber.class);
  static final SetNumber MAX_READERS = function("env_set_maxreaders", SetNumber.class);
  static final Use SYNC = function("env_sync", Use.class);

  static final Make BEGIN = function("txn_begin", Make.class);
  static final Use COMMIT = function("txn_commit", Use.class);
  static final Use ABORT = function("txn_abort", Use.class);
  static final Use RESET = function("txn_reset", Use.class);
  static final Use RENEW = function("txn_renew", Use.class);
  static final Id ID = function("txn_id", Id.class);

  static final Make OPEN_TABLE = function("dbi_open", Make.class);
  static final Drop DROP = function("drop", Drop.class);
  static final Entry GET = function("get", Entry.class);
  static final Put PUT = function("put", Put.class);
  static final Entry DELETE = function("del", Entry.class);

  static final Cursor OPEN_CURSOR = function("cursor_open", Cursor.class);
  static final Move MOVE = function("cursor_get", Move.class);
  static final Use CLOSE_CURSOR = function("cursor_close2", Use.class);

  private static final Message MESSAGE = function("strerror", Message.class);

  static final int READ_ONLY = 0x20000;
  static final int NO_STICKY_THREADS = 0x200000;
  static final int UTTERLY_NO_SYNC = 0x110000;
  static final int CREATE_TABLE = 0x40000;

  /** The number of the table whose keys are the names of the others. */
  static final int UNNAMED = 1;

  /** Of a sync: there was nothing to do. */
  static final int RESULT_TRUE = -1;

  private static final int NOT_FOUND = -30798;

  private Mdbx() {}

  private static <F> F function(String name, Class<F> form) {
    return FUNCTIONS.function("mdbx_" + name, form);
  }

  /** The library's text for an error. */
  static String message(int code) {
    return NativeFunctions.text(MESSAGE.call(code));
  }

  /** Fails unless the code is 0. */
  static void check(int code, String call) {
    if (code != 0) {
      throw new MdbxException(call, code);
    }
  }

  /** Whether there is such an entry; fails if the code is neither 0 nor the one for none. */
  static boolean found(int code, String call) {
    if (code == NOT_FOUND) {
      return false;
    }
    check(code, call);
    return true;
  }

  /** Does something with an object. */
  public interface Use {
    int call(MemorySegment object);
  }

  /** Takes a number. */
  public interface SetNumber {
    int call(MemorySegment environment, int number);
  }

  /** Takes sizes in bytes; -1 leaves the library's own. */
  public interface Geometry {
    int call(
        MemorySegment environment,
        long least,
        long now,
        long most,
        long growth,
        long shrinkage,
        long page);
  }

  /** Opens an environment. */
  public interface Open {
    int call(MemorySegment environment, MemorySegment path, int flags, int mode);
  }

  /** Puts a transaction, or a table's number, where the last argument points. */
  public interface Make {
    int call(MemorySegment object, MemorySegment argument, int flags, MemorySegment result);
  }

  /** Returns a transaction's number. */
  public interface Id {
    long call(MemorySegment transaction);
  }

  /** Empties a table, or removes it. */
  public interface Drop {
    int call(MemorySegment transaction, int table, boolean remove);
  }

  /** Finds or deletes an entry. */
  public interface Entry {
    int call(MemorySegment transaction, int table, MemorySegment key, MemorySegment value);
  }

  /** Puts an entry. */
  public interface Put {
    int call(
        MemorySegment transaction, int table, MemorySegment key, MemorySegment value, int flags);
  }

  /** Puts a cursor where the last argument points. */
  public interface Cursor {
    int call(MemorySegment transaction, int table, MemorySegment result);
  }

  /** Moves a cursor, and says what is there. */
  public interface Move {
    int call(MemorySegment cursor, MemorySegment key, MemorySegment value, int operation);
  }

  /** Returns the text for an error. */
  public interface Message {
    MemorySegment call(int code);
  }
}

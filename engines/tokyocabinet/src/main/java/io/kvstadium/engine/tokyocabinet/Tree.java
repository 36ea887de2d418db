package io.kvstadium.engine.tokyocabinet;

import java.lang.foreign.MemorySegment;

/** The library's functions of a B+ tree. */
final class Tree {
  static final Native.Create CREATE = function("tcbdbnew", Native.Create.class);
  static final Native.Delete DELETE = function("tcbdbdel", Native.Delete.class);
  static final Native.Test MAKE_THREAD_SAFE = function("tcbdbsetmutex", Native.Test.class);
  static final SetCache SET_CACHE = function("tcbdbsetcache", SetCache.class);
  static final MapMore MAP_MORE = function("tcbdbsetxmsiz", MapMore.class);
  static final Native.TestKey OPEN = function("tcbdbopen", Native.TestKey.class);
  static final Native.Test CLOSE = function("tcbdbclose", Native.Test.class);
  static final Native.Test SYNC = function("tcbdbsync", Native.Test.class);
  static final Native.Test BEGIN = function("tcbdbtranbegin", Native.Test.class);
  static final Native.Test COMMIT = function("tcbdbtrancommit", Native.Test.class);
  static final Native.Test ABORT = function("tcbdbtranabort", Native.Test.class);
  static final Count COUNT = function("tcbdbrnum", Count.class);
  static final Get GET = function("tcbdbget", Get.class);
  static final Put PUT = function("tcbdbput", Put.class);
  static final Native.TestKey OUT = function("tcbdbout", Native.TestKey.class);
  static final ValueSize VALUE_SIZE = function("tcbdbvsiz", ValueSize.class);

  /** The code of the calling thread's last error. */
  static final Code ERROR = function("tcbdbecode", Code.class);

  private static final Tune TUNE = function("tcbdbtune", Tune.class);

  private Tree() {}

  private static <F> F function(String name, Class<F> form) {
    return Native.FUNCTIONS.function(name, form);
  }

  /** Takes numbers of leaves and nodes. */
  public interface SetCache {
    boolean call(MemorySegment tree, int leaves, int nodes);
  }

  /** Takes a number of bytes. */
  public interface MapMore {
    boolean call(MemorySegment tree, long bytes);
  }

  /** Returns a number of entries. */
  public interface Count {
    long call(MemorySegment tree);
  }

  /** Returns an error's code. */
  public interface Code {
    int call(MemorySegment tree);
  }

  /** Returns the value, which must be freed, or a null pointer. */
  public interface Get {
    MemorySegment call(MemorySegment tree, MemorySegment key, int length, MemorySegment size);
  }

  /** Puts an entry. */
  public interface Put {
    boolean call(MemorySegment tree, MemorySegment key, int length, MemorySegment value, int size);
  }

  /** Returns the length of a value, or -1 if there is no entry. */
  public interface ValueSize {
    int call(MemorySegment tree, MemorySegment key, int length);
  }

  /** Sets what is not 0 or -1. */
  public interface Tune {
    boolean call(
        MemorySegment tree,
        int leafMembers,
        int nodeMembers,
        long buckets,
        byte alignment,
        byte pool,
        byte options);
  }

  /** Sets the options, and leaves the library's own values otherwise. */
  static void tune(MemorySegment tree, byte options) {
    byte usual = -1;
    boolean _ = TUNE.call(tree, 0, 0, 0, usual, usual, options);
  }
}

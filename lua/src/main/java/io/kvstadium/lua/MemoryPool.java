package io.kvstadium.lua;

/** What the values of several interpreters may take together. Safe for all threads. */
public interface MemoryPool {
  /** Without a bound. */
  MemoryPool UNBOUNDED =
      new MemoryPool() {
        @Override
        public boolean reserve(long bytes) {
          return true;
        }

        @Override
        public void changed(long bytes) {}
      };

  /** Takes a number of bytes, unless that would be too many. */
  boolean reserve(long bytes);

  /**
   * Takes a number of bytes that cannot be refused any more, or gives some back if it is negative.
   */
  void changed(long bytes);
}

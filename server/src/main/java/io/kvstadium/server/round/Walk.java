package io.kvstadium.server.round;

/** Steps over entries in the order of a range. Must be closed. */
public interface Walk extends AutoCloseable {
  /** No entries. */
  Walk NOTHING =
      new Walk() {
        @Override
        public boolean next() {
          return false;
        }

        @Override
        public boolean seek(byte[] key) {
          return false;
        }

        @Override
        public byte[] key() {
          throw new IllegalStateException("no entry");
        }

        @Override
        public byte[] value() {
          throw new IllegalStateException("no entry");
        }

        @Override
        public void close() {}
      };

  /** Steps to the next entry; false at the end. */
  boolean next();

  /**
   * Moves to the first entry at or after a key, in the direction of the range and within it,
   * forwards or backwards; false if there is none. Only in a range without a limit.
   */
  boolean seek(byte[] key);

  /** The entry's key. It must not be changed. */
  byte[] key();

  /** The entry's value. It must not be changed. */
  byte[] value();

  @Override
  void close();
}

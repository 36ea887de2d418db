package io.kvstadium.server.execute;

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
        public byte[] key() {
          throw new IllegalStateException("no entry");
        }

        @Override
        public byte[] value() {
          throw new IllegalStateException("no entry");
        }

        @Override
        public ReadView.Head head(int max) {
          throw new IllegalStateException("no entry");
        }

        @Override
        public void close() {}
      };

  /** Steps to the next entry; false at the end. */
  boolean next();

  /** The entry's key. It must not be changed. */
  byte[] key();

  /** The entry's value. It must not be changed. */
  byte[] value();

  /**
   * The beginning of the entry's value.
   *
   * @param max how many bytes of a long value are enough
   */
  ReadView.Head head(int max);

  @Override
  void close();
}

package io.kvstadium.transfer.format;

import java.io.IOException;

/** Writes a store in some format. */
public interface EntryWriter extends AutoCloseable {
  /** Begins a table; each table comes once. */
  void table(String name) throws IOException;

  /** Adds an entry to the table that was begun last. */
  void entry(byte[] key, byte[] value) throws IOException;

  /**
   * Ends the output and writes everything to the stream, which stays open.
   *
   * @param sum over all entries, under the names of their tables
   */
  void end(ContentSum sum) throws IOException;

  /** Frees its resources, whether it was ended or not. */
  @Override
  default void close() {}
}

package io.kvstadium.transfer.source;

import io.kvstadium.store.BadArgumentException;
import java.io.InputStream;

/**
 * Entries, wherever they are: in a file, a directory of files, a database, a store, or on standard
 * input. Safe for all threads; the data must not change while they are in use.
 */
public interface EntrySource {
  /** Where the entries are, for messages; without passwords. */
  String name();

  /** {@code csv}, {@code jsonl}, {@code directory}, {@code sqlite}, an engine … */
  String format();

  /** Whether it can be read more than once; not so standard input and other pipes. */
  default boolean isRepeatable() {
    return true;
  }

  /** Whether no key can come twice, as in a dump or by a table's primary key. */
  default boolean hasUniqueKeys() {
    return false;
  }

  /**
   * Begins a pass, in the order of the data.
   *
   * @throws BadArgumentException if the key's field or column is not there, saying what is
   */
  SourceReader read();

  /**
   * Its bytes, decompressed, if it is a file or a pipe.
   *
   * @throws BadArgumentException if it is not
   */
  default InputStream content() {
    throw new BadArgumentException(name() + " is not a file");
  }
}

package io.kvstadium.transfer;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads entries in some format. */
interface EntryReader {
  /** Bytes of a line or record: about as many as an array can have. */
  int LONGEST = Integer.MAX_VALUE - 64;

  /**
   * One entry.
   *
   * @param table the name of its table, {@code default} where the format has none
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Item(String table, byte[] key, byte[] value) {}

  /**
   * The next entry, or {@code null} at the end.
   *
   * @throws io.kvstadium.store.CorruptException if what follows is damaged or not in this format;
   *     the message names the place
   */
  @Nullable Item next() throws IOException;

  /**
   * The tables that the input has named so far, also those without entries, if it names them apart
   * from their entries.
   */
  default Set<String> tables() {
    return Set.of();
  }

  /** What was left out so far, in words, such as {@code 3 lists}; empty for most formats. */
  default List<String> leftOut() {
    return List.of();
  }
}

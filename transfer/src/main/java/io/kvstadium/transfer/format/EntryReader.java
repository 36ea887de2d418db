package io.kvstadium.transfer.format;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads entries in some format, from a stream that stays open. */
public interface EntryReader {
  /**
   * The next entry, or {@code null} at the end.
   *
   * @throws BadEntry if it cannot be read, and the next call goes on after it
   * @throws io.kvstadium.store.CorruptException if what follows is damaged or not in this format;
   *     the message names the place
   */
  @Nullable Item next() throws IOException;

  /**
   * The tables that the data has named so far, also those without entries, if it names them apart
   * from their entries.
   */
  default Set<String> tables() {
    return Set.of();
  }

  /** What keys and values are, for reports: name → text. */
  default Map<String, String> describe() {
    return Map.of();
  }
}

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
   * @throws io.kvstadium.transfer.format.BadEntry if it cannot be read, and the next call goes on
   *     after it
   * @throws io.kvstadium.store.CorruptException if what follows is damaged or not in this format;
   *     the message names the place
   */
  @Nullable Item next() throws IOException;

  /** As {@link io.kvstadium.transfer.source.SourceReader#tables} says. */
  default Set<String> tables() {
    return Set.of();
  }

  /** As {@link io.kvstadium.transfer.source.SourceReader#describe} says. */
  default Map<String, String> describe() {
    return Map.of();
  }
}

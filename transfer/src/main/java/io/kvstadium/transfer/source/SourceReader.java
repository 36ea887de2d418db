package io.kvstadium.transfer.source;

import io.kvstadium.transfer.format.BadEntry;
import io.kvstadium.transfer.format.EntryReader;
import io.kvstadium.transfer.format.Item;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One pass over a source, in constant memory. Belongs to one thread at a time; must be closed. */
public interface SourceReader extends EntryReader, AutoCloseable {
  /**
   * The next entry, or {@code null} at the end.
   *
   * @throws BadEntry if it cannot be read, and the next call goes on after it
   * @throws io.kvstadium.store.StadiumException if nothing behind it can be read either; the
   *     message names the place
   */
  @Override
  @Nullable Item next();

  /** What was there so far but is not an entry, such as {@code 3 lists}. */
  default List<String> leftOut() {
    return List.of();
  }

  /** The first of the entries that could not be read and were left out, with what is wrong. */
  default List<String> skipped() {
    return List.of();
  }

  /** About how much of the data has been read, from 0 to 1; negative if that is not known. */
  default double share() {
    return -1;
  }

  /** Closes the underlying files. A second call does nothing. */
  @Override
  void close();
}

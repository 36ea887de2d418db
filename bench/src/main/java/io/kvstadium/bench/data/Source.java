package io.kvstadium.bench.data;

import java.nio.file.Path;

/**
 * The user's own data.
 *
 * @param path where they came from, without anything confidential
 * @param copy the file that all trials read
 */
public record Source(String path, String copy) {
  /**
   * Opens the data.
   *
   * @throws io.kvstadium.store.BadArgumentException if they are not there any more
   */
  public EntryFile dataset() {
    return EntryFile.open(Path.of(copy));
  }
}

package io.kvstadium.cli.move;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.transfer.CopyOptions.Existing;
import picocli.CommandLine.Option;

/** {@code --merge} and {@code --replace}: what to do if the target already holds entries. */
final class ExistingOption {
  @Option(
      names = "--merge",
      description = "Adds to what the target holds; new entries replace those with the same key.")
  private boolean merge;

  @Option(
      names = "--replace",
      description = "Empties the target's tables that receive entries; other tables stay.")
  private boolean replace;

  Existing get() {
    if (merge && replace) {
      throw new BadArgumentException("--merge and --replace cannot be combined: give one");
    }
    return merge ? Existing.MERGE : replace ? Existing.REPLACE : Existing.REFUSE;
  }
}

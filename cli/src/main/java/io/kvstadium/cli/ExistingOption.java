package io.kvstadium.cli;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CopyOptions.Existing;
import picocli.CommandLine.Option;

/** {@code --merge} and {@code --replace}: what to do with a target that holds entries. */
final class ExistingOption {
  @Option(
      names = "--merge",
      description = "Adds to what the target holds; what comes replaces what has the same key.")
  private boolean merge;

  @Option(
      names = "--replace",
      description = "Empties the tables of the target that something comes to; others stay.")
  private boolean replace;

  ExistingOption() {}

  Existing get() {
    if (merge && replace) {
      throw new BadArgumentException("--merge and --replace exclude each other: give one");
    }
    return merge ? Existing.MERGE : replace ? Existing.REPLACE : Existing.REFUSE;
  }
}

package io.kvstadium.cli.bench;

import io.kvstadium.store.BadArgumentException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --format}, and {@code --json} for the most common one. */
final class FormatOption {
  @Option(
      names = "--format",
      paramLabel = "table|json|csv|markdown",
      description = "What to print (default: table).")
  private @Nullable Format format;

  @Option(names = "--json", description = "The same as --format json.")
  private boolean json;

  /**
   * @param details whether all of the table was asked for, which other forms have anyway
   */
  Format get(boolean details) {
    Format wanted = get();
    if (details && wanted != Format.TABLE) {
      throw new BadArgumentException(
          "--details is for the table, and the other formats have everything: leave one of them"
              + " out");
    }
    return wanted;
  }

  Format get() {
    if (json && format != null && format != Format.JSON) {
      throw new BadArgumentException("--json and --format cannot be combined: give one");
    }
    return json ? Format.JSON : format == null ? Format.TABLE : format;
  }
}

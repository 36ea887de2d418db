package io.kvstadium.cli.entries;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --values} and {@code --format}: how entries are printed. */
final class PrintOptions {
  @Option(
      names = "--values",
      paramLabel = "CODEC",
      description = "How values are printed (default: auto).")
  private @Nullable String values;

  @Option(
      names = "--format",
      paramLabel = "table|json|raw",
      description = "What to print (default: table at a terminal, otherwise raw).")
  private @Nullable View view;

  @Nullable String values() {
    return values;
  }

  View view(Session session) {
    return view == null ? session.view() : view;
  }
}

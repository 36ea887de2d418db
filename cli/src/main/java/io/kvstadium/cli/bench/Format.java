package io.kvstadium.cli.bench;

/** The forms in which results are printed; their names are the words of {@code --format}. */
public enum Format {
  /** For a person at a terminal. */
  TABLE,
  /** Everything that was measured, as in {@code results.json}. */
  JSON,
  /** A line for each phase of each trial. */
  CSV,
  /** For an issue or a page. */
  MARKDOWN
}

package io.kvstadium.cli.entries;

/** How entries are printed. */
public enum View {
  /** For a person at a terminal. */
  TABLE,
  /** A line of JSON for each. */
  JSON,
  /** A line for each, with key and value as they are, separated by a tab. */
  RAW
}

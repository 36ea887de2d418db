package io.kvstadium.cli;

/** How entries are printed. */
enum View {
  /** For a person at a terminal. */
  TABLE,
  /** A line of JSON for each. */
  JSON,
  /** A line for each, key and value as they are with a tab in between. */
  RAW
}

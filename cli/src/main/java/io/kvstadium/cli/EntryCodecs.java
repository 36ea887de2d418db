package io.kvstadium.cli;

/**
 * How the entries of a table are written and printed.
 *
 * @param keys the codec of the keys
 * @param values the codec of the values
 */
record EntryCodecs(TextCodec keys, TextCodec values) {
  static final EntryCodecs AUTO = new EntryCodecs(TextCodecs.AUTO, TextCodecs.AUTO);
}

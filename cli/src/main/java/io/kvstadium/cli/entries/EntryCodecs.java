package io.kvstadium.cli.entries;

/**
 * How the entries of a table are written and printed.
 *
 * @param keys the codec of the keys
 * @param values the codec of the values
 */
public record EntryCodecs(TextCodec keys, TextCodec values) {
  public static final EntryCodecs AUTO = new EntryCodecs(TextCodecs.AUTO, TextCodecs.AUTO);
}

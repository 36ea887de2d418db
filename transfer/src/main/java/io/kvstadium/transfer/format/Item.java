package io.kvstadium.transfer.format;

/**
 * One entry.
 *
 * @param table the name of its table, {@code default} where the source has none
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Item(String table, byte[] key, byte[] value) {}

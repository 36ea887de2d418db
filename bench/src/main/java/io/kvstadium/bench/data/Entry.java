package io.kvstadium.bench.data;

/**
 * A key and its value.
 *
 * @param key owned by whoever got the entry, as is {@code value}: nobody else keeps or changes it
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between an iterator and a put; never compared
public record Entry(byte[] key, byte[] value) {}

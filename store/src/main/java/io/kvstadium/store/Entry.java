package io.kvstadium.store;

/**
 * One key and its value. The arrays are not copied: they must not be changed until the call that
 * took the entry has returned.
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Entry(byte[] key, byte[] value) {}

package io.kvstadium.store;

/**
 * One key and its value. The arrays are not copied: whoever hands over an entry leaves them as they
 * are until the call that took it has returned.
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Entry(byte[] key, byte[] value) {}

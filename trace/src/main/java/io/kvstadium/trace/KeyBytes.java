package io.kvstadium.trace;

import java.util.Arrays;

/** A key as a key of a map. */
@SuppressWarnings("ArrayRecordComponent") // equality is that of the bytes
record KeyBytes(byte[] bytes) {
  @Override
  public boolean equals(Object other) {
    return other instanceof KeyBytes key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}

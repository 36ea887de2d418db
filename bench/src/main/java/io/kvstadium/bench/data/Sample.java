package io.kvstadium.bench.data;

import org.jspecify.annotations.Nullable;

/** An entry of a dataset that reads may ask for. Changed only while its index is being built. */
final class Sample {
  /** A hash of the key; the entries with the smallest hashes are sampled. */
  final long priority;

  final byte[] key;

  /** The place in the data, from 0, of the last entry with this key. */
  long ordinal;

  int valueLength;
  long valueHash;

  /** The value itself, for as many samples as fit. */
  byte @Nullable [] value;

  Sample(long priority, byte[] key) {
    this.priority = priority;
    this.key = key;
  }
}

package io.kvstadium.engine.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Entries in the order of their keys. */
final class Leaf extends Node {
  static final int MOST = 32;

  byte[][] keys;

  /**
   * The keys' hashes, to find a key: each comparison with a key is likely to be a cache miss, and a
   * binary search would need five.
   */
  private int[] hashes;

  private byte[][] values;

  /** Makes a leaf without entries that no edit owns. */
  Leaf() {
    this(new Owner(), new byte[0][], new int[0], new byte[0][]);
  }

  private Leaf(Owner owner, byte[][] keys, int[] hashes, byte[][] values) {
    super(owner);
    this.keys = keys;
    this.hashes = hashes;
    this.values = values;
  }

  @Override
  int size() {
    return keys.length;
  }

  byte[] value(int at) {
    return values[at];
  }

  /** Returns the value of a key, or {@code null}. */
  byte @Nullable [] get(byte[] key) {
    int at = find(key, Arrays.hashCode(key));
    return at < 0 ? null : values[at];
  }

  /** Returns the position of a key, or -1. */
  private int find(byte[] key, int hash) {
    for (int i = 0; i < hashes.length; i++) {
      if (hashes[i] == hash && Arrays.equals(keys[i], key)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns a key's position, or {@code -1 - i} if it is missing and would be at {@code i}. */
  int find(byte[] key) {
    int low = 0;
    int high = keys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Arrays.compareUnsigned(keys[middle], key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1 - low;
  }

  @Override
  Leaf of(Edit edit) {
    return isOf(edit) ? this : new Leaf(edit.owner(), keys, hashes, values.clone());
  }

  @Override
  @Nullable Split put(Edit edit, byte[] key, byte[] value) {
    int hash = Arrays.hashCode(key);
    int at = find(key, hash);
    if (at >= 0) {
      values[at] = value;
      return null;
    }
    at = -1 - find(key);
    keys = inserted(keys, at, key.clone());
    values = inserted(values, at, value);
    hashes = inserted(hashes, at, hash);
    edit.resized(1);
    return keys.length <= MOST ? null : split(edit);
  }

  private Split split(Edit edit) {
    int half = keys.length / 2;
    Leaf right =
        new Leaf(
            edit.owner(),
            Arrays.copyOfRange(keys, half, keys.length),
            Arrays.copyOfRange(hashes, half, keys.length),
            Arrays.copyOfRange(values, half, keys.length));
    keys = Arrays.copyOf(keys, half);
    hashes = Arrays.copyOf(hashes, half);
    values = Arrays.copyOf(values, half);
    return new Split(right.keys[0], right);
  }

  private static int[] inserted(int[] array, int at, int element) {
    int[] larger = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, at, larger, at + 1, array.length - at);
    larger[at] = element;
    return larger;
  }

  @Override
  void remove(Edit edit, byte[] key) {
    int at = find(key, Arrays.hashCode(key));
    if (at >= 0) {
      keys = without(keys, at);
      values = without(values, at);
      int[] left = Arrays.copyOf(hashes, keys.length);
      System.arraycopy(hashes, at + 1, left, at, left.length - at);
      hashes = left;
      edit.resized(-1);
    }
  }

  @Override
  void append(byte[] key, Node behind) {
    Leaf other = (Leaf) behind;
    int[] all = Arrays.copyOf(hashes, keys.length + other.keys.length);
    System.arraycopy(other.hashes, 0, all, keys.length, other.keys.length);
    hashes = all;
    keys = joined(keys, other.keys);
    values = joined(values, other.values);
  }
}

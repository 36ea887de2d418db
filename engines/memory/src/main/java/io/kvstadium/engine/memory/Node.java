package io.kvstadium.engine.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node of {@link SortedEntries}. It changes only in the {@link Edit} that made it, which nobody
 * else sees before its end; so an array that a node has got from elsewhere is replaced and never
 * written to.
 */
abstract sealed class Node permits Leaf, Branch {
  /** Stands for an edit in the nodes that are its own; the edit would keep its tree with it. */
  static final class Owner {}

  private final Owner owner;

  Node(Owner owner) {
    this.owner = owner;
  }

  final boolean isOf(Edit edit) {
    return owner == edit.owner();
  }

  /** How many entries a leaf has, or children a branch. */
  abstract int size();

  /** The same for an edit to change: itself, or a copy. */
  abstract Node of(Edit edit);

  /**
   * Puts an entry into what is the edit's own.
   *
   * @return what is behind this node from now on, if it had to be split, or {@code null}
   */
  abstract @Nullable Split put(Edit edit, byte[] key, byte[] value);

  /** Removes an entry from what is the edit's own; does nothing if there is none. */
  abstract void remove(Edit edit, byte[] key);

  /** Takes all of the node behind it in as well. */
  abstract void append(byte[] key, Node behind);

  /**
   * A node that was split off.
   *
   * @param key not above any of its keys, and above all of those before
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Split(byte[] key, Node node) {}

  static <T> T[] inserted(T[] array, int at, T element) {
    T[] larger = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, at, larger, at + 1, array.length - at);
    larger[at] = element;
    return larger;
  }

  static <T> T[] without(T[] array, int at) {
    T[] smaller = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, at + 1, smaller, at, smaller.length - at);
    return smaller;
  }

  static <T> T[] joined(T[] array, T[] behind) {
    T[] all = Arrays.copyOf(array, array.length + behind.length);
    System.arraycopy(behind, 0, all, array.length, behind.length);
    return all;
  }
}

package io.kvstadium.engine.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node of {@link SortedEntries}. It changes only in the {@link Edit} that made it, which nobody
 * else sees before it ends; so an array that a node got from elsewhere is replaced and never
 * written to.
 */
abstract sealed class Node permits Leaf, Branch {
  /** Identifies an edit in its nodes; a reference to the edit itself would keep its tree alive. */
  static final class Owner {}

  private final Owner owner;

  Node(Owner owner) {
    this.owner = owner;
  }

  final boolean isOf(Edit edit) {
    return owner == edit.owner();
  }

  /** Returns how many entries a leaf has, or children a branch. */
  abstract int size();

  /** Returns a node that an edit may change: this one, or a copy. */
  abstract Node of(Edit edit);

  /**
   * Puts an entry into a node that the edit owns.
   *
   * @return what follows this node from now on, if it had to be split, or {@code null}
   */
  abstract @Nullable Split put(Edit edit, byte[] key, byte[] value);

  /** Removes an entry from a node that the edit owns; does nothing if there is none. */
  abstract void remove(Edit edit, byte[] key);

  /** Appends the whole next node to this one. */
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

package io.kvstadium.engine.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Nodes of one height, in the order of their keys. */
final class Branch extends Node {
  static final int MOST = 64;

  private Separators separators;
  Node[] children;

  Branch(Owner owner, Separators separators, Node[] children) {
    super(owner);
    this.separators = separators;
    this.children = children;
  }

  @Override
  int size() {
    return children.length;
  }

  @Override
  Branch of(Edit edit) {
    return isOf(edit) ? this : new Branch(edit.owner(), separators, children.clone());
  }

  /** Returns which child has a key, if any has. */
  int childOf(byte[] key) {
    return separators.childOf(key);
  }

  @Override
  @Nullable Split put(Edit edit, byte[] key, byte[] value) {
    int at = childOf(key);
    Node child = children[at].of(edit);
    children[at] = child;
    Split split = child.put(edit, key, value);
    if (split == null) {
      return null;
    }
    separators = separators.with(at, split.key());
    children = inserted(children, at + 1, split.node());
    if (children.length <= MOST) {
      return null;
    }
    int half = children.length / 2;
    byte[] between = separators.get(half - 1);
    Branch right =
        new Branch(
            edit.owner(),
            separators.part(half, children.length - 1),
            Arrays.copyOfRange(children, half, children.length));
    separators = separators.part(0, half - 1);
    children = Arrays.copyOf(children, half);
    return new Split(between, right);
  }

  @Override
  void remove(Edit edit, byte[] key) {
    int at = childOf(key);
    Node child = children[at].of(edit);
    children[at] = child;
    child.remove(edit, key);
    int most = child instanceof Leaf ? Leaf.MOST : MOST;
    if (child.size() < most / 4 && children.length > 1) {
      int left = Math.max(0, at - 1);
      if (children[left].size() + children[left + 1].size() <= most) {
        merge(edit, left);
      }
    }
  }

  /** Merges a child with the next one. */
  private void merge(Edit edit, int at) {
    Node left = children[at].of(edit);
    left.append(separators.get(at), children[at + 1]);
    children[at] = left;
    children = without(children, at + 1);
    separators = separators.without(at);
  }

  @Override
  void append(byte[] key, Node behind) {
    Branch other = (Branch) behind;
    separators = separators.joined(key, other.separators);
    children = joined(children, other.children);
  }
}

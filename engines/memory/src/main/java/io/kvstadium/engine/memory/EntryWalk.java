package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/** Steps over the leaves of one tree. */
final class EntryWalk implements Iterator<Map.Entry<byte[], byte[]>> {
  /** A child of a branch. */
  private record Step(Branch branch, int child) {}

  private final Range<byte[]> range;
  private final int by;

  /** The path from the root to the leaf. */
  private final Deque<Step> path = new ArrayDeque<>(4);

  private Leaf leaf;

  /** The next entry of the leaf. */
  private int at;

  /** The first entry of the leaf past the end of the range, in its direction. */
  private int end;

  EntryWalk(Node root, Range<byte[]> range) {
    this.range = range;
    this.by = range.reversed() ? -1 : 1;
    byte[] start = range.reversed() ? range.to() : range.from();
    Node node = root;
    while (node instanceof Branch branch) {
      int child =
          start != null ? branch.childOf(start) : range.reversed() ? branch.children.length - 1 : 0;
      path.push(new Step(branch, child));
      node = branch.children[child];
    }
    leaf = (Leaf) node;
    at = range.reversed() ? belowTo() - 1 : aboveFrom();
    end = range.reversed() ? aboveFrom() - 1 : belowTo();
    skip();
  }

  /** Returns the first entry of the leaf that is not below the range. */
  private int aboveFrom() {
    byte[] from = range.from();
    return from == null ? 0 : position(from, !range.fromInclusive());
  }

  /** Returns the first entry of the leaf that is above the range. */
  private int belowTo() {
    byte[] to = range.to();
    return to == null ? leaf.size() : position(to, range.toInclusive());
  }

  private int position(byte[] key, boolean behind) {
    int found = leaf.find(key);
    return found < 0 ? -1 - found : behind ? found + 1 : found;
  }

  /** Goes to the next leaf with entries of the range, if this one has no more. */
  private void skip() {
    while (at == end && end == (by > 0 ? leaf.size() : -1) && climb()) {
      at = by > 0 ? 0 : leaf.size() - 1;
      end = by > 0 ? belowTo() : aboveFrom() - 1;
    }
  }

  /** Goes to the adjacent leaf; returns false if there is none. */
  private boolean climb() {
    while (!path.isEmpty()) {
      Step step = path.pop();
      int child = step.child() + by;
      if (child >= 0 && child < step.branch().children.length) {
        path.push(new Step(step.branch(), child));
        descend(step.branch().children[child]);
        return true;
      }
    }
    return false;
  }

  private void descend(Node top) {
    Node node = top;
    while (node instanceof Branch branch) {
      int child = by > 0 ? 0 : branch.children.length - 1;
      path.push(new Step(branch, child));
      node = branch.children[child];
    }
    leaf = (Leaf) node;
  }

  @Override
  public boolean hasNext() {
    return by > 0 ? at < end : at > end;
  }

  @Override
  public Map.Entry<byte[], byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<byte[], byte[]> entry = Map.entry(leaf.keys[at], leaf.value(at));
    at += by;
    skip();
    return entry;
  }
}

package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a table at one moment: a B+ tree that never changes. The tree that an {@link Edit}
 * makes from it shares all unchanged nodes. So a snapshot, a cursor's view and a batch are one
 * reference, for which writers take turns. A skip list with versions would have to be cleaned up, a
 * hash map beside it costs each write twice, and persistent maps took 17 steps to one of 100,000
 * keys.
 */
record SortedEntries(Node root, int size) {
  static final SortedEntries EMPTY = new SortedEntries(new Leaf(), 0);

  Edit edit() {
    return new Edit(root, size);
  }

  byte @Nullable [] get(byte[] key) {
    Node node = root;
    while (node instanceof Branch branch) {
      node = branch.children[branch.childOf(key)];
    }
    return ((Leaf) node).get(key);
  }

  /** Returns the entries of a range in its direction; its limit is ignored. */
  Iterator<Map.Entry<byte[], byte[]>> scan(Range<byte[]> range) {
    return new EntryWalk(root, range);
  }
}

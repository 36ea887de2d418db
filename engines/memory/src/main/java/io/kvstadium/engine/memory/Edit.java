package io.kvstadium.engine.memory;

import io.kvstadium.engine.memory.Node.Owner;
import io.kvstadium.engine.memory.Node.Split;

/** Changes entries, many at once, and copies each node at most once. For one thread. */
final class Edit {
  private final Owner owner = new Owner();

  private Node root;
  private int size;

  Edit(Node root, int size) {
    this.root = root;
    this.size = size;
  }

  Owner owner() {
    return owner;
  }

  /** Puts an entry, with a copy of the key. The value must not be changed afterwards. */
  void put(byte[] key, byte[] value) {
    root = root.of(this);
    Split split = root.put(this, key, value);
    if (split != null) {
      root = new Branch(owner, Separators.of(split.key()), new Node[] {root, split.node()});
    }
  }

  /** Removes an entry; does nothing if there is none. */
  void remove(byte[] key) {
    root = root.of(this);
    root.remove(this, key);
    while (root instanceof Branch branch && branch.children.length == 1) {
      root = branch.children[0];
    }
  }

  /** Changes the number of entries. */
  void resized(int by) {
    size += by;
  }

  /** Returns the entries now. The edit must not be used any more. */
  SortedEntries done() {
    return new SortedEntries(root, size);
  }
}

package io.kvstadium.store.internal;

import io.kvstadium.store.ClosedException;
import java.util.HashSet;
import java.util.Set;

/** The tables that a block uses: none of them is dropped before the block ends. Thread-safe. */
final class HeldTables {
  private final Set<TableHandle<?>> held = new HashSet<>();

  /**
   * Holds a table until {@link #release}.
   *
   * @throws ClosedException if the table was dropped or is about to be
   */
  synchronized void hold(TableHandle<?> table) {
    if (!held.contains(table)) {
      table.hold();
      held.add(table);
    }
  }

  /** Ends the block; called once. */
  synchronized void release() {
    held.forEach(TableHandle::release);
  }
}

package io.kvstadium.engine.lmdb;

import io.kvstadium.store.engine.help.Slot;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

/**
 * A read transaction that is begun once and then renewed for each use, with the memory for a key.
 * It is owned by whoever took it until it is given back, regardless of the thread.
 */
final class Reader extends Slot implements AutoCloseable {
  private final @Nullable CheckedPages pages;
  private @Nullable Txn<Slice> txn; // null before its first use
  private @Nullable KeyBuffer key;

  /**
   * @param pages null if LMDB may trust what is in the file
   */
  Reader(@Nullable CheckedPages pages) {
    this.pages = pages;
  }

  /** Moves on to the present state of the store. */
  void begin(Env<Slice> env) {
    Txn<Slice> present = txn;
    if (present == null) {
      txn = env.txnRead();
      key = new KeyBuffer();
      return;
    }
    txn = null; // the binding cannot give up a transaction that it failed to renew
    present.renew();
    txn = present;
  }

  /**
   * Releases the state, so that its pages can be used again, and gives the reader back; its slot in
   * LMDB's reader table stays.
   */
  @Override
  public void close() {
    if (txn != null) {
      txn.reset();
    }
    giveBack();
  }

  /** Returns the entry's value in the map, or null; valid until {@link #close}. */
  @Nullable Slice find(LmdbTable table, byte[] bytes) {
    CheckedPath path = path(table);
    if (path != null) {
      path.ceiling(bytes);
    }
    return table.dbi().get(txn(), key().hold(bytes));
  }

  /** The way down the table's tree, for reads that must look first; null if none must. */
  @Nullable CheckedPath path(LmdbTable table) {
    return pages == null ? null : pages.path(txn().getId(), table.dbi().getName());
  }

  Txn<Slice> txn() {
    if (txn == null) {
      throw new IllegalStateException("the reader was not begun");
    }
    return txn;
  }

  KeyBuffer key() {
    if (key == null) {
      throw new IllegalStateException("the reader was not begun");
    }
    return key;
  }

  /** Gives its transaction up for good. */
  void discard() {
    Txn<Slice> present = txn;
    if (present != null) {
      txn = null;
      present.renew(); // the binding leaks a transaction that is closed while reset
      present.close();
    }
  }
}

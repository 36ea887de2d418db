package io.kvstadium.store.engine.help;

import io.kvstadium.store.Entry;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Cuts a load into portions that fit into memory. For engines that load in a few large
 * transactions: the entries of a portion are collected before its transaction begins, so that what
 * the source does or throws happens outside of it, others get a turn in between, and a transaction
 * that failed for lack of room can be run again.
 */
public final class Portions {
  /** Roughly what an entry takes on the heap in addition to its bytes. */
  private static final int OVERHEAD = 64;

  private Portions() {}

  /**
   * Puts a portion.
   *
   * @param <X> the exception that it throws
   */
  @FunctionalInterface
  public interface Action<X extends Exception> {
    void accept(List<Entry<byte[], byte[]>> portion) throws X;
  }

  /**
   * Passes on all entries in their order, in non-empty lists that are valid during the call only.
   *
   * @param bytes roughly how much heap the entries of a portion take; a single one may take more
   */
  public static <X extends Exception> void forEach(
      Iterator<Entry<byte[], byte[]>> entries, long bytes, Action<X> action) throws X {
    List<Entry<byte[], byte[]>> portion = new ArrayList<>();
    while (entries.hasNext()) {
      long size = 0;
      do {
        Entry<byte[], byte[]> entry = entries.next();
        size += entry.key().length + entry.value().length + OVERHEAD;
        portion.add(entry);
      } while (size < bytes && entries.hasNext());
      action.accept(portion);
      portion.clear();
    }
  }
}

package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Entries without the unreadable ones if these are skipped; otherwise up to the first of them. */
final class CheckedEntries implements EntryIterator {
  private final EntryIterator all;
  private final boolean skip;
  private @Nullable Entry next;

  CheckedEntries(EntryIterator all, boolean skip) {
    this.all = all;
    this.skip = skip;
  }

  @Override
  public boolean hasNext() {
    while (next == null && all.hasNext()) {
      try {
        next = all.next();
      } catch (BadEntry e) {
        if (!skip) {
          throw new BadArgumentException(e.text(), e);
        }
      }
    }
    return next != null;
  }

  @Override
  public Entry next() {
    Entry entry = hasNext() ? next : null;
    if (entry == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return entry;
  }

  @Override
  public void close() {
    all.close();
  }
}

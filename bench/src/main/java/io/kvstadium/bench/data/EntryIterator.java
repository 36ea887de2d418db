package io.kvstadium.bench.data;

import io.kvstadium.store.Entry;
import java.util.Iterator;

/** Entries one by one, in constant memory. Belongs to one thread at a time; to be closed. */
public interface EntryIterator extends Iterator<Entry>, AutoCloseable {
  /** Closes the files behind it. Does nothing the second time. */
  @Override
  void close();
}

package io.kvstadium.bench.data;

import io.kvstadium.store.Entry;
import java.util.Iterator;

/** Entries one by one, in constant memory. Belongs to one thread at a time; must be closed. */
public interface EntryIterator extends Iterator<Entry<byte[], byte[]>>, AutoCloseable {
  /** Closes the underlying files. A second call does nothing. */
  @Override
  void close();
}

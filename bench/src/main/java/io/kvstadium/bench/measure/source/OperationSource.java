package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Entry;

/** What one thread does next: which operation, on which key, how long. */
public interface OperationSource {
  /** Whether there is more to do. */
  boolean hasNext();

  /** Returns the next operation. */
  Operation operation();

  /** Returns a key that is there. */
  long index();

  /** Returns an entry that is new. */
  Entry<byte[], byte[]> entry();

  /** Called when the last new entry was not written after all. */
  void forget();

  /** Returns the length of the next scan, in entries. */
  int scanLength();
}

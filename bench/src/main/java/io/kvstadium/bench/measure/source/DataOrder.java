package io.kvstadium.bench.measure.source;

import io.kvstadium.bench.data.EntryIterator;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.Entry;

/** Inserts the entries of the data in their order. */
public final class DataOrder implements OperationSource {
  private final EntryIterator entries;
  private boolean cut;

  /**
   * @param entries closed by the caller
   */
  public DataOrder(EntryIterator entries) {
    this.entries = entries;
  }

  @Override
  public boolean hasNext() {
    return !cut && entries.hasNext();
  }

  @Override
  public Operation operation() {
    return Operation.INSERT;
  }

  @Override
  public Entry<byte[], byte[]> entry() {
    return entries.next();
  }

  /** Time was up: nothing follows, or there would be a gap. */
  @Override
  public void forget() {
    cut = true;
  }

  @Override
  public long index() {
    throw new IllegalStateException("a load asks for no key");
  }

  @Override
  public int scanLength() {
    throw new IllegalStateException("a load scans nothing");
  }
}

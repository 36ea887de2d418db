package io.kvstadium.bench.data;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.transfer.records.RecordReader;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** Entries of a file, one per record. */
final class RecordIterator implements EntryIterator {
  private final RecordReader records;
  private final Function<RecordReader, byte[]> keys;
  private boolean looked;
  private boolean there;

  /**
   * @param keys finds the key in the current record
   */
  RecordIterator(RecordReader records, Function<RecordReader, byte[]> keys) {
    this.records = records;
    this.keys = keys;
  }

  @Override
  public boolean hasNext() {
    if (!looked) {
      there = records.advance();
      looked = true;
    }
    return there;
  }

  @Override
  public Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    looked = false;
    try {
      records.checkUtf8();
      return new Entry(keys.apply(records), records.copy());
    } catch (BadArgumentException e) {
      throw new BadEntry(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    records.close();
  }
}

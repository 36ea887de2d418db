package io.kvstadium.store;

/** A table as a target of a {@link Batch}. */
public interface BatchTable extends TableWriter {
  /**
   * Removes the entries of a range: those that are there when the batch is applied, and those that
   * were put earlier in this batch. The range's direction does not matter; an empty or inverted one
   * removes nothing.
   *
   * <p>On engines with {@link Capability#RANGE_DELETE} it is as atomic as the rest of the batch. On
   * others the keys are looked up just before the batch is applied, so that entries that others put
   * into the range meanwhile may stay.
   *
   * @throws BadArgumentException if the range has a limit
   * @throws UnsupportedException if the engine cannot scan such a range
   */
  void delete(Range range);
}

package io.kvstadium.store;

/**
 * A consistent read-only view of a whole store, as it was when the snapshot was taken. Thread-safe.
 * Must be closed: while it is open, engines keep what it may need.
 */
public interface Snapshot extends ReadView, AutoCloseable {
  /** {@link ReadGuarantee#SNAPSHOT}. */
  @Override
  default ReadGuarantee guarantee() {
    return ReadGuarantee.SNAPSHOT;
  }

  /** Releases its resources. A second call does nothing. */
  @Override
  void close();
}

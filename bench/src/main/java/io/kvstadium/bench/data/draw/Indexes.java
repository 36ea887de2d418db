package io.kvstadium.bench.data.draw;

/** An endless stream of indexes for one thread, as a {@link Distribution} draws them. */
@FunctionalInterface
public interface Indexes {
  /** The next index, from 0 to below the number of keys. */
  long next();

  /** Fills an array with the next indexes. */
  default void fill(long[] into) {
    for (int k = 0; k < into.length; k++) {
      into[k] = next();
    }
  }
}

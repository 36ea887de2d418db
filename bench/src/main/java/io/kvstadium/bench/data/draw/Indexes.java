package io.kvstadium.bench.data.draw;

/** An endless stream of indexes for one thread, as a {@link Distribution} draws them. */
@FunctionalInterface
public interface Indexes {
  /** The next index, from 0 to below the number of keys. */
  long next();
}

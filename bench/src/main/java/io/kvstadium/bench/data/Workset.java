package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Distribution;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a trial works on, generated or the user's own. A trial loads {@link #entries}
 * and then asks for keys by index. Safe for all threads.
 *
 * <p>Every value has a <em>generation</em>: 0 as loaded; an update writes the value of a higher one
 * to the same key. The trial keeps track of the generation of each key.
 */
public interface Workset {
  /** How many entries the load has. */
  long count();

  /**
   * How many keys are loaded and can be asked for: the indexes are {@code [0, size())}. Equal to
   * {@link #count} for generated data; for a large {@link DatasetWorkset} a random sample of it.
   */
  long size();

  /**
   * How many keys there can be after inserts: the indexes {@code [size(), room())} have keys and
   * values too, which are not loaded and differ from all that are. Equal to {@link #size} for data
   * that cannot grow.
   */
  default long room() {
    return size();
  }

  /** Returns all entries to load, in load order, in generation 0. Must be closed. */
  EntryIterator entries();

  /**
   * Returns all entries in generation 0 in the order of their keys, or {@code null} if sorting them
   * would take much memory or a copy of the source. Must be closed.
   */
  default @Nullable EntryIterator sortedEntries() {
    return null;
  }

  /**
   * Returns a function from the place in the order of the loaded keys to the index of the key
   * there, for ranges that must be neighbours in a store and not just in numbers (see {@link
   * Distribution#needsKeyOrder()}), or {@code null} if that would take much memory. Takes a while,
   * so it is called once per trial. Safe for all threads.
   */
  default @Nullable LongUnaryOperator keyOrder() {
    return null;
  }

  /** A new array with key {@code i}. */
  byte[] key(long i);

  /**
   * A new array with a value. Generation 0 of a {@link DatasetWorkset} may have to be looked up in
   * the source, which can take as long as reading all of it; higher generations are at hand.
   */
  byte[] value(long i, long generation);

  /** The length of a value in bytes, whether or not it is at hand. */
  default int valueLength(long i, long generation) {
    return value(i, generation).length;
  }

  /** Whether these are exactly the bytes of that value. */
  boolean matches(long i, long generation, byte[] value);

  /**
   * Whether these are the bytes of any generation between two, both included: for reads during
   * concurrent updates.
   */
  default boolean matchesAny(long i, long from, long to, byte[] value) {
    for (long generation = to; generation >= from; generation--) { // mostly one of the last
      if (matches(i, generation, value)) {
        return true;
      }
    }
    return false;
  }

  /** The shape of the data, name by name, in the order that reports show. */
  Map<String, Object> describe();
}

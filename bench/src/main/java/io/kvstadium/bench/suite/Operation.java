package io.kvstadium.bench.suite;

import java.util.Locale;

/** What a phase does over and over. */
public enum Operation {
  /** Puts every entry of the data once, in its order; in a mix, entries that are new. */
  INSERT,
  /**
   * Puts every entry once by bulk load ({@link io.kvstadium.store.Table#bulkLoad}) into a new
   * store, sorted by key where that is possible.
   */
  LOAD,
  /** Gets keys that exist, and checks what it got. */
  GET,
  /**
   * Gets keys that exist with a reader that is lent the value, and checks its length and last byte.
   */
  LEND,
  /** Puts new values to keys that exist. */
  UPDATE,
  /** Gets a number of keys that exist in one call, and checks what it got. */
  MULTI_GET,
  /** Gets a key that exists and then puts a new value to it. */
  READ_MODIFY_WRITE,
  /** Gives a key that exists a new value that a function makes of the old one, atomically. */
  COMPUTE,
  /** Opens the store, gets one key and closes the store again. */
  OPEN_GET,
  /** Several operations, in the proportions that the phase names. */
  MIXED,
  /** Scans a number of entries from a key that exists. */
  SCAN,
  /** Scans the whole table once, keys and values. */
  SCAN_ALL,
  /** Deletes keys that exist, each once. */
  DELETE,
  /** Repeats what an application did, from a trace. */
  REPLAY;

  /** The word in suite files: {@code scan-all} … */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether an operation of this shape changes the store. */
  public boolean writes(Shape shape) {
    return switch (this) {
      case INSERT, LOAD, UPDATE, DELETE, READ_MODIFY_WRITE, COMPUTE, REPLAY -> true;
      case MIXED -> shape.mix().keySet().stream().anyMatch(part -> part.writes(shape));
      case GET, LEND, MULTI_GET, OPEN_GET, SCAN, SCAN_ALL -> false;
    };
  }

  /** Whether it can be a part of a mix. */
  public boolean mixes() {
    return switch (this) {
      case INSERT, GET, MULTI_GET, UPDATE, DELETE, SCAN, READ_MODIFY_WRITE, COMPUTE -> true;
      case LOAD, LEND, OPEN_GET, MIXED, SCAN_ALL, REPLAY -> false;
    };
  }

  /** Whether it loads the entries. */
  public boolean loads() {
    return this == INSERT || this == LOAD;
  }

  /** Whether it goes over every entry once, in one thread. */
  public boolean whole() {
    return loads() || this == SCAN_ALL;
  }
}

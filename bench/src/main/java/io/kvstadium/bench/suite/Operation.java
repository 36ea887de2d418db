package io.kvstadium.bench.suite;

import java.util.Locale;

/** What a phase does over and over. */
public enum Operation {
  /** Puts every entry of the data once, in its order. */
  INSERT,
  /**
   * Puts every entry once by bulk load ({@link io.kvstadium.store.Table#load}) into a new store,
   * sorted by key where that can be had.
   */
  LOAD,
  /** Gets keys that exist, and checks what it got. */
  GET,
  /**
   * Gets keys that exist by a reader that is lent the value, looks at its length and its last byte,
   * and checks them; by hand, where nothing is lent, a plain get.
   */
  LEND,
  /** Puts new values to keys that exist. */
  UPDATE,
  /** Gets and updates, in the proportion that the phase names. */
  MIXED,
  /** Scans a number of entries from a key that exists. */
  SCAN,
  /** Scans the whole table once, keys and values. */
  SCAN_ALL,
  /** Deletes keys that exist, each once. */
  DELETE;

  /** The word in suite files: {@code scan-all} … */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it changes the store. */
  public boolean writes() {
    return loads() || this == UPDATE || this == MIXED || this == DELETE;
  }

  /** Whether it brings the entries in. */
  public boolean loads() {
    return this == INSERT || this == LOAD;
  }

  /** Whether it goes over every entry once, in one thread. */
  public boolean whole() {
    return loads() || this == SCAN_ALL;
  }
}

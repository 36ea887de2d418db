package io.kvstadium.bench.suite;

import io.kvstadium.store.Capability;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a phase does over and over. {@code docs/internals/new-phase.md} says how to add one. */
public enum Operation {
  /** Puts every entry of the data once, in its order; in a mix, entries that are new. */
  INSERT(Capability.WRITE, Trait.WRITES, Trait.MIXES, Trait.LOADS, Trait.WHOLE, Trait.BATCHES),
  /**
   * Puts every entry once by bulk load ({@link io.kvstadium.store.Table#bulkLoad}) into a new
   * store, sorted by key where that is possible.
   */
  LOAD(Capability.BULK_LOAD, Trait.WRITES, Trait.LOADS, Trait.WHOLE),
  /** Gets keys that exist, and checks what it got. */
  GET(null, Trait.MIXES, Trait.RATED, Trait.BACKGROUND, Trait.BESIDE_WRITES),
  /**
   * Gets keys that exist with a reader that is lent the value, and checks its length and last byte.
   */
  LEND(null),
  /** Puts new values to keys that exist. */
  UPDATE(Capability.WRITE, Trait.WRITES, Trait.MIXES, Trait.BATCHES, Trait.RATED, Trait.BACKGROUND),
  /** Gets a number of keys that exist in one call, and checks what it got. */
  MULTI_GET(null, Trait.MIXES, Trait.RATED, Trait.BACKGROUND, Trait.BESIDE_WRITES),
  /** Gets a key that exists and then puts a new value to it. */
  READ_MODIFY_WRITE(
      Capability.WRITE,
      Trait.WRITES,
      Trait.MIXES,
      Trait.RATED,
      Trait.BACKGROUND,
      Trait.READS_ITS_WRITES),
  /** Gives a key that exists a new value that a function makes of the old one, atomically. */
  COMPUTE(Capability.WRITE, Trait.WRITES, Trait.MIXES, Trait.READS_ITS_WRITES),
  /** Opens the store, gets one key and closes the store again. */
  OPEN_GET(Capability.PERSISTENT, Trait.OPENS),
  /** Several operations, in the proportions that the phase names. */
  MIXED(null, Trait.RATED, Trait.READS_ITS_WRITES),
  /** Scans a number of entries from a key that exists. */
  SCAN(Capability.ORDERED_SCAN, Trait.MIXES, Trait.RATED, Trait.BACKGROUND, Trait.BESIDE_WRITES),
  /** Scans the whole table once, keys and values. */
  SCAN_ALL(Capability.SCAN, Trait.WHOLE),
  /** Deletes keys that exist, each once. */
  DELETE(Capability.WRITE, Trait.WRITES, Trait.MIXES, Trait.BATCHES),
  /** Repeats what an application did, from a trace. */
  REPLAY(null, Trait.WRITES);

  /** What is true of an operation; its class is in {@code measure.operation}. */
  public enum Trait {
    /** Changes the store. */
    WRITES,
    /** Can be a part of a mix. */
    MIXES,
    /** Loads the entries. */
    LOADS,
    /** Goes over every entry once, in one thread. */
    WHOLE,
    /** Several can form one atomic batch, and a phase of them can have a durability of its own. */
    BATCHES,
    /** Gets a twin where the user asks for a rate. */
    RATED,
    /** Can be a background load. */
    BACKGROUND,
    /** Can be checked while others write. */
    BESIDE_WRITES,
    /** Reads what the phase has written. */
    READS_ITS_WRITES,
    /** Opens the store, in one thread. */
    OPENS
  }

  private final @Nullable Capability needed;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of is
  private final Set<Trait> traits;

  Operation(@Nullable Capability needed, Trait... traits) {
    this.needed = needed;
    this.traits = Set.of(traits);
  }

  /** What an engine must be able to do for it, or {@code null}; a replay says what it needs. */
  public @Nullable Capability needed() {
    return needed;
  }

  public boolean is(Trait trait) {
    return traits.contains(trait);
  }

  /** The word in suite files: {@code scan-all} … */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether an operation of this shape changes the store. */
  public boolean writes(Shape shape) {
    return is(Trait.WRITES)
        || (this == MIXED && shape.mix().keySet().stream().anyMatch(part -> part.writes(shape)));
  }

  /** Whether it loads the entries. */
  public boolean loads() {
    return is(Trait.LOADS);
  }

  /** Whether it goes over every entry once, in one thread. */
  public boolean whole() {
    return is(Trait.WHOLE);
  }
}

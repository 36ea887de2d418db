package io.kvstadium.transfer;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.internal.Hex;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a store cannot hold.
 *
 * @param keys how many have a key that is too long, or an empty one where that is not possible
 * @param values how many others have a value that is too long, or too short
 * @param example a description of the first of them, or {@code null} if there is none
 */
public record Oversized(long keys, long values, @Nullable String example) {
  /** No entries. */
  public static final Oversized NONE = new Oversized(0, 0, null);

  /** How many there are. */
  public long entries() {
    return keys + values;
  }

  /** A message that says why nothing is copied, if these are not to be skipped. */
  public String refusal(Store target, String source) {
    return target.url()
        + " cannot hold "
        + entries()
        + (entries() == 1 ? " entry" : " entries")
        + " of "
        + source
        + " ("
        + keys
        + " by the key, "
        + values
        + " by the value); the first is "
        + example
        + ". Nothing was copied: leave them out by skipping what is oversized, or choose another"
        + " engine";
  }

  /** Finds entries that a store cannot hold, and counts them; used by one thread at a time. */
  public static final class Counter {
    private final Limits limits;
    private final boolean emptyKeys;
    private long keys;
    private long values;
    private @Nullable String example;

    /** Counts among entries that are to be put into this store. */
    public Counter(Store target) {
      limits = target.limits();
      emptyKeys = target.capabilities().contains(Capability.EMPTY_KEY);
    }

    /** Whether every entry of a source fits, judging by what the two stores can hold. */
    boolean holdsAll(Store source) {
      return source.limits().maxKeyBytes() <= limits.maxKeyBytes()
          && (emptyKeys || !source.capabilities().contains(Capability.EMPTY_KEY))
          && !mindsValues(source);
    }

    /** Whether a source may have values that do not fit. */
    boolean mindsValues(Store source) {
      return source.limits().maxValueBytes() > limits.maxValueBytes()
          || source.limits().minValueBytes() < limits.minValueBytes();
    }

    /** Whether an entry fits; counts it if not. */
    public boolean fits(String table, byte[] key, int valueBytes) {
      if (key.length > limits.maxKeyBytes() || (key.length == 0 && !emptyKeys)) {
        keys++;
        note(table, key, "its key", key.length, emptyKeys ? 0 : 1, limits.maxKeyBytes());
        return false;
      }
      if (valueBytes > limits.maxValueBytes() || valueBytes < limits.minValueBytes()) {
        values++;
        note(table, key, "its value", valueBytes, limits.minValueBytes(), limits.maxValueBytes());
        return false;
      }
      return true;
    }

    private void note(String table, byte[] key, String what, int length, int least, int most) {
      if (example == null) {
        example =
            "in table "
                + table
                + " the entry of key "
                + Hex.of(key)
                + ": "
                + what
                + " has "
                + length
                + " bytes, and the target takes "
                + least
                + " to "
                + most;
      }
    }

    /** The entries that did not fit so far. */
    public Oversized counted() {
      return keys + values == 0 ? NONE : new Oversized(keys, values, example);
    }
  }
}

package io.kvstadium.store;

import io.kvstadium.store.internal.Hex;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which entries a scan visits, and how. Immutable; each method returns a changed copy:
 *
 * <pre>{@code
 * Range.prefix(user).reverse().limit(10)
 * Range.all().from(a, true).to(b, false).keysOnly()
 * }</pre>
 *
 * <p>Bounds are in unsigned byte order whatever the direction: {@code from} is the lower one, even
 * in reverse.
 *
 * @param from lower bound, {@code null} for none
 * @param fromInclusive whether an entry with the key {@code from} is in the range
 * @param to upper bound, {@code null} for none
 * @param toInclusive whether an entry with the key {@code to} is in the range
 * @param reversed whether the scan starts at the upper end
 * @param limit the maximum number of entries to visit; {@link Long#MAX_VALUE} for all
 * @param withoutValues whether only keys are asked for, which may save the engine work
 */
@SuppressWarnings("ArrayRecordComponent") // keys are arrays throughout; equality is never used
public record Range(
    byte @Nullable [] from,
    boolean fromInclusive,
    byte @Nullable [] to,
    boolean toInclusive,
    boolean reversed,
    long limit,
    boolean withoutValues) {

  private static final Range ALL = new Range(null, true, null, false, false, Long.MAX_VALUE, false);

  public Range {
    if (limit < 0) {
      throw new BadArgumentException("limit " + limit + " is negative: use 0 or more");
    }
  }

  /** Every entry, in ascending order. */
  public static Range all() {
    return ALL;
  }

  /** The entries whose key starts with {@code prefix}; an empty prefix is {@link #all()}. */
  public static Range prefix(byte[] prefix) {
    requireBound(prefix);
    byte[] end = prefix.clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xff) {
      last--;
    }
    Range start = ALL.from(prefix, true);
    if (last < 0) {
      return start; // nothing but 0xff: no other key comes after those with this prefix
    }
    end[last]++;
    return start.to(Arrays.copyOf(end, last + 1), false);
  }

  /** From {@code from} (inclusive) to {@code to} (exclusive). */
  public static Range between(byte[] from, byte[] to) {
    return ALL.from(from, true).to(to, false);
  }

  /** Returns a copy with this lower bound. */
  public Range from(byte[] key, boolean inclusive) {
    requireBound(key);
    return new Range(key, inclusive, to, toInclusive, reversed, limit, withoutValues);
  }

  /** Returns a copy with this upper bound. */
  public Range to(byte[] key, boolean inclusive) {
    requireBound(key);
    return new Range(from, fromInclusive, key, inclusive, reversed, limit, withoutValues);
  }

  /** Returns a copy with the opposite direction. */
  public Range reverse() {
    return new Range(from, fromInclusive, to, toInclusive, !reversed, limit, withoutValues);
  }

  /** Returns a copy with at most {@code entries} entries. */
  public Range limit(long entries) {
    return new Range(from, fromInclusive, to, toInclusive, reversed, entries, withoutValues);
  }

  /** Returns a copy without values, for {@link Cursor#key} and {@link Cursor#keys} only. */
  public Range keysOnly() {
    return new Range(from, fromInclusive, to, toInclusive, reversed, limit, true);
  }

  private static void requireBound(byte[] key) {
    if (key == null) { // would silently be no bound at all
      throw new BadArgumentException(
          "a range's bound is null: give a key, or leave the bound out for none");
    }
  }

  /** Whether no key at all can be in it. */
  public boolean isEmpty() {
    if (limit == 0) {
      return true;
    }
    if (from == null) {
      return !belowTo(new byte[0]);
    }
    // The least key that satisfies the lower bound: the bound itself, or with a zero byte appended.
    return !belowTo(fromInclusive ? from : Arrays.copyOf(from, from.length + 1));
  }

  /** Whether {@code key} lies within its bounds. */
  public boolean contains(byte[] key) {
    return aboveFrom(key) && belowTo(key);
  }

  /** Whether {@code key} satisfies the lower bound. */
  public boolean aboveFrom(byte[] key) {
    if (from == null) {
      return true;
    }
    int order = Arrays.compareUnsigned(key, from);
    return order > 0 || (order == 0 && fromInclusive);
  }

  /** Whether {@code key} satisfies the upper bound. */
  public boolean belowTo(byte[] key) {
    if (to == null) {
      return true;
    }
    int order = Arrays.compareUnsigned(key, to);
    return order < 0 || (order == 0 && toInclusive);
  }

  /** Text such as {@code [0x61 (1 byte), …) reversed limit 10}. */
  @Override
  public String toString() {
    String lower = from == null ? "[…" : (fromInclusive ? "[" : "(") + Hex.of(from);
    String upper = to == null ? "…)" : Hex.of(to) + (toInclusive ? "]" : ")");
    return lower + ", " + upper + manner(reversed, limit, withoutValues);
  }

  static String manner(boolean reversed, long limit, boolean withoutValues) {
    return (reversed ? " reversed" : "")
        + (limit == Long.MAX_VALUE ? "" : " limit " + limit)
        + (withoutValues ? " keys only" : "");
  }
}

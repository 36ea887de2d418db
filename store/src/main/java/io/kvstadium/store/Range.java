package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.TupleCodec;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which entries a scan visits, and how. Immutable; the methods of an object return a changed copy:
 *
 * <pre>{@code
 * Range.prefix("user:").reverse().limit(10)
 * Range.atLeast(from).to(to, true).keysOnly()
 * Range.prefix(VISIT, "acme", 2026)
 * Range.between(VISIT, List.of("acme", 2024), List.of("acme", 2027))
 * Range.<String>all().reverse()
 * }</pre>
 *
 * <p>Bounds are in the order of the encoded keys, as unsigned bytes; {@code from} is the lower one,
 * even in reverse. They are encoded when the range is used.
 *
 * @param <K> the type of the keys
 */
public final class Range<K> {
  private static final Range<?> ALL =
      new Range<>(null, null, true, null, false, false, Long.MAX_VALUE, false);

  /** A prefix of keys whose codec is not known yet, or bounds that are encoded already. */
  private sealed interface Scope<K> {
    record Prefix<K>(K start) implements Scope<K> {}

    record Components<K>(Range<byte[]> bytes) implements Scope<K> {}
  }

  private final @Nullable Scope<K> scope; // which the bounds narrow
  private final @Nullable K from;
  private final boolean fromInclusive;
  private final @Nullable K to;
  private final boolean toInclusive;
  private final boolean reversed;
  private final long limit;
  private final boolean withoutValues;

  private Range(
      @Nullable Scope<K> scope,
      @Nullable K from,
      boolean fromInclusive,
      @Nullable K to,
      boolean toInclusive,
      boolean reversed,
      long limit,
      boolean withoutValues) {
    this.scope = scope;
    this.from = from;
    this.fromInclusive = fromInclusive;
    this.to = to;
    this.toInclusive = toInclusive;
    this.reversed = reversed;
    this.limit = limit;
    this.withoutValues = withoutValues;
  }

  private static <K> Range<K> of(Scope<K> scope) {
    return new Range<>(scope, null, true, null, false, false, Long.MAX_VALUE, false);
  }

  /** Every entry, in ascending order. */
  @SuppressWarnings("unchecked") // it has no key
  public static <K> Range<K> all() {
    return (Range<K>) ALL;
  }

  /** From {@code from} (inclusive) to {@code to} (exclusive). */
  public static <K> Range<K> between(K from, K to) {
    return atLeast(from).to(to, false);
  }

  /** From {@code from} (inclusive) to the end. */
  public static <K> Range<K> atLeast(K from) {
    return Range.<K>all().from(from, true);
  }

  /** From {@code from} (exclusive) to the end. */
  public static <K> Range<K> greaterThan(K from) {
    return Range.<K>all().from(from, false);
  }

  /** From the beginning to {@code to} (inclusive). */
  public static <K> Range<K> atMost(K to) {
    return Range.<K>all().to(to, true);
  }

  /** From the beginning to {@code to} (exclusive). */
  public static <K> Range<K> lessThan(K to) {
    return Range.<K>all().to(to, false);
  }

  /**
   * The keys whose encoded form starts with the bytes of {@code start}: for {@link Codec#STRING}
   * those that start with this text; an empty one is {@link #all()}. For keys of several components
   * see the other {@link #prefix(Codec, Object...)}.
   */
  public static <K> Range<K> prefix(K start) {
    return of(new Scope.Prefix<>(requireBound(start)));
  }

  /** The keys that start with these bytes; an empty prefix is {@link #all()}. */
  public static Range<byte[]> prefix(byte[] start) {
    byte[] end = requireBound(start).clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xff) {
      last--;
    }
    Range<byte[]> begun = atLeast(start);
    if (last < 0) {
      return begun; // nothing but 0xff: no other key comes after those with this prefix
    }
    end[last]++;
    return begun.to(Arrays.copyOf(end, last + 1), false);
  }

  /**
   * The keys with these leading components. An {@code int} stands for a {@code long} component too.
   *
   * @param keys the key codec of the table, made by {@link Codec#record} or {@link Codec#tuple}
   * @throws BadArgumentException if there are more of them than the codec has, or one is of another
   *     type
   */
  public static <K> Range<K> prefix(Codec<K> keys, Object... leading) {
    TupleCodec<K> codec = TupleCodec.of(keys);
    byte[] start =
        codec.leading(Arrays.asList(Arguments.given("a range", "array of components", leading)));
    return of(
        new Scope.Components<>(
            leading.length == codec.size() ? atLeast(start).to(start, true) : prefix(start)));
  }

  /**
   * The keys from those with the leading components {@code from} (inclusive) to those with the
   * leading components {@code to} (exclusive); an empty list is no bound. See {@link #prefix(Codec,
   * Object...)}.
   *
   * @throws BadArgumentException also if the codec keeps no order
   */
  public static <K> Range<K> between(Codec<K> keys, List<?> from, List<?> to) {
    TupleCodec<K> codec = TupleCodec.of(keys);
    requireOrder(codec);
    Range<byte[]> begun = atLeast(codec.leading(from));
    byte[] end = codec.leading(to);
    return of(new Scope.Components<>(end.length == 0 ? begun : begun.to(end, false)));
  }

  /**
   * Returns a copy with this lower bound. Replaces an earlier {@code from}, but only narrows a
   * range of components or of a prefix, other than one of byte strings: so a walk through it can
   * continue after the last key seen.
   */
  public Range<K> from(K key, boolean inclusive) {
    return new Range<>(
        scope, requireBound(key), inclusive, to, toInclusive, reversed, limit, withoutValues);
  }

  /** Returns a copy with this upper bound. Replaces an earlier {@code to}; see {@link #from}. */
  public Range<K> to(K key, boolean inclusive) {
    return new Range<>(
        scope, from, fromInclusive, requireBound(key), inclusive, reversed, limit, withoutValues);
  }

  /** Returns a copy with the opposite direction. */
  public Range<K> reverse() {
    return new Range<>(
        scope, from, fromInclusive, to, toInclusive, !reversed, limit, withoutValues);
  }

  /** Returns a copy with at most {@code entries} entries. */
  public Range<K> limit(long entries) {
    if (entries < 0) {
      throw new BadArgumentException("limit " + entries + " is negative: use 0 or more");
    }
    return new Range<>(
        scope, from, fromInclusive, to, toInclusive, reversed, entries, withoutValues);
  }

  /** Returns a copy without values, for {@link Cursor#key} only. */
  public Range<K> keysOnly() {
    return new Range<>(scope, from, fromInclusive, to, toInclusive, reversed, limit, true);
  }

  /** The lower bound, {@code null} for none; that of a prefix only if it is of byte strings. */
  public @Nullable K from() {
    return from;
  }

  /** Whether an entry with the key {@link #from} is in the range. */
  public boolean fromInclusive() {
    return fromInclusive;
  }

  /** The upper bound, {@code null} for none; that of a prefix only if it is of byte strings. */
  public @Nullable K to() {
    return to;
  }

  /** Whether an entry with the key {@link #to} is in the range. */
  public boolean toInclusive() {
    return toInclusive;
  }

  /** Whether the scan starts at the upper end. */
  public boolean reversed() {
    return reversed;
  }

  /** The maximum number of entries to visit; {@link Long#MAX_VALUE} for all. */
  public long limit() {
    return limit;
  }

  /** Whether only keys are asked for, which may save the engine work. */
  public boolean withoutValues() {
    return withoutValues;
  }

  /**
   * The range in bytes, as a table with this key codec uses it.
   *
   * @throws BadArgumentException if the codec cannot express its bounds
   */
  // the bounds of byte strings are byte strings; a codec is its identity
  @SuppressWarnings({"unchecked", "ReferenceEquality"})
  public Range<byte[]> encode(Codec<K> codec) {
    Arguments.given("a range", "codec of the keys", codec);
    if (scope == null && (codec == Codec.BYTES || (from == null && to == null))) {
      return (Range<byte[]>) this;
    }
    Range<byte[]> range =
        switch (scope) {
          case null -> all();
          case Scope.Prefix<K>(K start) -> prefix(codec, start);
          case Scope.Components<K>(Range<byte[]> bytes) -> bytes;
        };
    if (from != null) {
      byte[] key = bound(codec, from);
      range = range.aboveFrom(key) ? range.from(key, fromInclusive) : range;
    }
    if (to != null) {
      byte[] key = bound(codec, to);
      range = range.belowTo(key) ? range.to(key, toInclusive) : range;
    }
    return new Range<>(
        null,
        range.from,
        range.fromInclusive,
        range.to,
        range.toInclusive,
        reversed,
        limit,
        withoutValues);
  }

  private static <K> Range<byte[]> prefix(Codec<K> codec, K start) {
    if (codec.length() >= 0) {
      throw new BadArgumentException(
          "keys of the codec %s have one length, none starts with another: use between, or prefix(codec, …) for leading components"
              .formatted(codec));
    }
    if (codec instanceof TupleCodec) {
      throw new BadArgumentException(
          "a prefix of the key codec %s is given by its leading components: use prefix(codec, …)"
              .formatted(codec));
    }
    return prefix(bound(codec, start));
  }

  private static <K> byte[] bound(Codec<K> codec, K key) {
    requireOrder(codec);
    return codec.encode(requireBound(key));
  }

  private static void requireOrder(Codec<?> codec) {
    if (!codec.ordered()) {
      throw new BadArgumentException(
          "the key codec %s does not keep an order, so a range of its keys has no bounds: scan all, or give the codec an ordered form and let ordered() return true"
              .formatted(codec));
    }
  }

  private static <K> K requireBound(K key) {
    if (key == null) { // would silently be no bound at all
      throw new BadArgumentException(
          "a range's bound is null: give a key, or leave the bound out for none");
    }
    return key;
  }

  /** Whether no key at all can be in it; for ranges of byte strings. */
  public boolean isEmpty() {
    if (limit == 0) {
      return true;
    }
    if (from == null) {
      return !belowTo(new byte[0]);
    }
    // The least key that satisfies the lower bound: the bound itself, or with a zero byte appended.
    byte[] least = bytes(from);
    return !belowTo(fromInclusive ? least : Arrays.copyOf(least, least.length + 1));
  }

  /** Whether {@code key} lies within its bounds; for ranges of byte strings. */
  public boolean contains(byte[] key) {
    return aboveFrom(key) && belowTo(key);
  }

  /** Whether {@code key} satisfies the lower bound; for ranges of byte strings. */
  public boolean aboveFrom(byte[] key) {
    if (from == null) {
      return true;
    }
    int order = Arrays.compareUnsigned(key, bytes(from));
    return order > 0 || (order == 0 && fromInclusive);
  }

  /** Whether {@code key} satisfies the upper bound; for ranges of byte strings. */
  public boolean belowTo(byte[] key) {
    if (to == null) {
      return true;
    }
    int order = Arrays.compareUnsigned(key, bytes(to));
    return order < 0 || (order == 0 && toInclusive);
  }

  private byte[] bytes(K bound) {
    if (bound instanceof byte[] bytes) {
      return bytes;
    }
    throw new BadArgumentException(
        "the bounds of " + this + " are not byte strings: only a table's codec can compare them");
  }

  /** Text such as {@code [0x61 (1 byte), …) reversed limit 10} or {@code prefix user:}. */
  @Override
  public String toString() {
    String what =
        switch (scope) {
          case null -> "";
          case Scope.Prefix<K>(K start) -> "prefix " + start + " ";
          case Scope.Components<K>(Range<byte[]> bytes) -> bytes + " ";
        };
    String lower = from == null ? "[…" : (fromInclusive ? "[" : "(") + text(from);
    String upper = to == null ? "…)" : text(to) + (toInclusive ? "]" : ")");
    String bounds = from == null && to == null && !what.isEmpty() ? "" : lower + ", " + upper;
    return (what + bounds).strip()
        + (reversed ? " reversed" : "")
        + (limit == Long.MAX_VALUE ? "" : " limit " + limit)
        + (withoutValues ? " keys only" : "");
  }

  private static String text(Object key) {
    return key instanceof byte[] bytes ? Hex.of(bytes) : String.valueOf(key);
  }
}

package io.kvstadium.store;

import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.TupleCodec;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which entries a scan of a typed table visits, and how: {@link Range} with keys in place of byte
 * strings. Immutable; the methods of an object return a changed copy:
 *
 * <pre>{@code
 * TypedRange.prefix("user:").reverse().limit(10)
 * TypedRange.atLeast(from).to(to, true).keysOnly()
 * TypedRange.prefix(VISIT, "acme", 2026)
 * TypedRange.between(VISIT, List.of("acme"), 2024, 2027)
 * TypedRange.<String>all().reverse()
 * }</pre>
 *
 * <p>Bounds are in the order of the encoded keys; {@code from} is the lower one, even in reverse.
 * They are encoded when the range is used.
 *
 * @param <K> the type of the keys
 */
public final class TypedRange<K> {
  /** What the range covers before {@link #from} and {@link #to} narrow it. */
  private sealed interface Scope<K> {
    record All<K>() implements Scope<K> {}

    record Prefix<K>(K start) implements Scope<K> {}

    record Components<K>(Range bytes) implements Scope<K> {}
  }

  private record Bound<K>(K key, boolean inclusive) {}

  private final Scope<K> scope;
  private final @Nullable Bound<K> from;
  private final @Nullable Bound<K> to;
  private final boolean reversed;
  private final long limit;
  private final boolean withoutValues;

  private TypedRange(
      Scope<K> scope,
      @Nullable Bound<K> from,
      @Nullable Bound<K> to,
      boolean reversed,
      long limit,
      boolean withoutValues) {
    this.scope = scope;
    this.from = from;
    this.to = to;
    this.reversed = reversed;
    this.limit = limit;
    this.withoutValues = withoutValues;
  }

  private static <K> TypedRange<K> of(Scope<K> scope) {
    return new TypedRange<>(scope, null, null, false, Long.MAX_VALUE, false);
  }

  /** Every entry, in ascending order. */
  public static <K> TypedRange<K> all() {
    return of(new Scope.All<>());
  }

  /** From {@code from} (inclusive) to {@code to} (exclusive). */
  public static <K> TypedRange<K> between(K from, K to) {
    return atLeast(from).to(to, false);
  }

  /** From {@code from} (inclusive) to the end. */
  public static <K> TypedRange<K> atLeast(K from) {
    return TypedRange.<K>all().from(from, true);
  }

  /** From {@code from} (exclusive) to the end. */
  public static <K> TypedRange<K> greaterThan(K from) {
    return TypedRange.<K>all().from(from, false);
  }

  /** From the beginning to {@code to} (inclusive). */
  public static <K> TypedRange<K> atMost(K to) {
    return TypedRange.<K>all().to(to, true);
  }

  /** From the beginning to {@code to} (exclusive). */
  public static <K> TypedRange<K> lessThan(K to) {
    return TypedRange.<K>all().to(to, false);
  }

  /**
   * The keys whose encoded form starts with the bytes of {@code start}: for {@link Codec#STRING}
   * those that start with this text. For keys of several components see the other {@link
   * #prefix(Codec, Object...)}.
   */
  public static <K> TypedRange<K> prefix(K start) {
    return of(new Scope.Prefix<>(start));
  }

  /**
   * The keys with these leading components. An {@code int} stands for a {@code long} component too.
   *
   * @param keys the key codec of the table, made by {@link Codec#record} or {@link Codec#tuple}
   * @throws BadArgumentException if there are more of them than the codec has, or one is of another
   *     type
   */
  public static <K> TypedRange<K> prefix(Codec<K> keys, Object... leading) {
    return components(
        keys, Arrays.asList(Arguments.given("a range", "array of components", leading)), null);
  }

  /**
   * The keys with these leading components, none for {@code List.of()}, and a next one that is
   * {@code from} or more and less than {@code to}; see {@link #prefix(Codec, Object...)}.
   *
   * @throws BadArgumentException also if the next component's codec keeps no order
   */
  public static <K> TypedRange<K> between(Codec<K> keys, List<?> leading, Object from, Object to) {
    return components(keys, leading, next -> Range.between(next.of(from), next.of(to)));
  }

  /** The same with a next one that is {@code from} or more. */
  public static <K> TypedRange<K> atLeast(Codec<K> keys, List<?> leading, Object from) {
    return components(keys, leading, next -> Range.all().from(next.of(from), true));
  }

  /** The same with a next one that is more than {@code from}. */
  public static <K> TypedRange<K> greaterThan(Codec<K> keys, List<?> leading, Object from) {
    return components(keys, leading, next -> Range.all().from(next.of(from), false));
  }

  /** The same with a next one that is {@code to} or less. */
  public static <K> TypedRange<K> atMost(Codec<K> keys, List<?> leading, Object to) {
    return components(keys, leading, next -> Range.all().to(next.of(to), true));
  }

  /** The same with a next one that is less than {@code to}. */
  public static <K> TypedRange<K> lessThan(Codec<K> keys, List<?> leading, Object to) {
    return components(keys, leading, next -> Range.all().to(next.of(to), false));
  }

  /** The same with a next one whose encoded form starts with that of {@code start}, as of texts. */
  public static <K> TypedRange<K> startsWith(Codec<K> keys, List<?> leading, Object start) {
    return components(keys, leading, next -> next.startingWith(start));
  }

  private static <K> TypedRange<K> components(
      Codec<K> keys, List<?> leading, @Nullable Function<TupleCodec.Bound, Range> next) {
    return of(new Scope.Components<>(TupleCodec.of(keys).range(leading, next)));
  }

  /**
   * Returns a copy with this lower bound. Replaces an earlier {@code from}, but only narrows a
   * prefix: so a walk through one can continue after the last key seen.
   */
  public TypedRange<K> from(K key, boolean inclusive) {
    return new TypedRange<>(scope, new Bound<>(key, inclusive), to, reversed, limit, withoutValues);
  }

  /** Returns a copy with this upper bound. Replaces an earlier {@code to}; see {@link #from}. */
  public TypedRange<K> to(K key, boolean inclusive) {
    return new TypedRange<>(
        scope, from, new Bound<>(key, inclusive), reversed, limit, withoutValues);
  }

  /** Returns a copy with the opposite direction. */
  public TypedRange<K> reverse() {
    return new TypedRange<>(scope, from, to, !reversed, limit, withoutValues);
  }

  /** Returns a copy with at most {@code entries} entries. */
  public TypedRange<K> limit(long entries) {
    return new TypedRange<>(
        scope, from, to, reversed, Range.all().limit(entries).limit(), withoutValues);
  }

  long limit() {
    return limit;
  }

  /** Returns a copy without values, for {@link TypedCursor#key} and {@link TypedCursor#keys}. */
  public TypedRange<K> keysOnly() {
    return new TypedRange<>(scope, from, to, reversed, limit, true);
  }

  /**
   * The range in bytes.
   *
   * @throws BadArgumentException if the codec cannot express its bounds
   */
  public Range encode(Codec<K> codec) {
    Range range =
        switch (scope) {
          case Scope.All<K>() -> Range.all();
          case Scope.Prefix<K>(K start) -> prefix(codec, start);
          case Scope.Components<K>(Range bytes) -> bytes;
        };
    if (from != null) {
      byte[] key = bound(codec, from.key());
      range = range.aboveFrom(key) ? range.from(key, from.inclusive()) : range;
    }
    if (to != null) {
      byte[] key = bound(codec, to.key());
      range = range.belowTo(key) ? range.to(key, to.inclusive()) : range;
    }
    range = reversed ? range.reverse() : range;
    return withoutValues ? range.limit(limit).keysOnly() : range.limit(limit);
  }

  private static <K> Range prefix(Codec<K> codec, K start) {
    if (codec.length() >= 0) {
      throw new BadArgumentException(
          "keys of the codec "
              + codec
              + " have one length, none starts with another: use between, or prefix(codec, …) for"
              + " leading components");
    }
    if (codec instanceof TupleCodec) {
      throw new BadArgumentException(
          "a prefix of the key codec "
              + codec
              + " is given by its leading components: use prefix(codec, …)");
    }
    return Range.prefix(bound(codec, start));
  }

  public static <K> byte[] bound(Codec<K> codec, K key) {
    if (!codec.ordered()) {
      throw new BadArgumentException(
          "the key codec "
              + codec
              + " does not keep an order, so a range of its keys has no bounds: scan all, or give"
              + " the codec an ordered form and let ordered() return true");
    }
    if (key == null) {
      throw new BadArgumentException(
          "a range's bound is null: give a key, or leave the bound out for none");
    }
    return codec.encode(key);
  }

  /** Text such as {@code [a, b) limit 10} or {@code prefix user:}. */
  @Override
  public String toString() {
    String what =
        switch (scope) {
          case Scope.All<K>() -> "";
          case Scope.Prefix<K>(K start) -> "prefix " + start + " ";
          case Scope.Components<K>(Range bytes) -> bytes + " ";
        };
    String lower = from == null ? "[…" : (from.inclusive() ? "[" : "(") + text(from.key());
    String upper = to == null ? "…)" : text(to.key()) + (to.inclusive() ? "]" : ")");
    String bounds = from == null && to == null && !what.isEmpty() ? "" : lower + ", " + upper;
    return (what + bounds).strip() + Range.manner(reversed, limit, withoutValues);
  }

  private static String text(Object key) {
    return key instanceof byte[] bytes ? Hex.of(bytes) : String.valueOf(key);
  }
}

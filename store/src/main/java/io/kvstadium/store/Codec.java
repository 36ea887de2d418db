package io.kvstadium.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Converts values of a type to byte strings and back. Immutable and thread-safe.
 *
 * <p>In addition to the constants, there are codecs for {@link #of records} of several components
 * and for {@link #map other types} that can be expressed by one that has a codec. For anything
 * else, implement this interface.
 *
 * <p>A codec that is {@link #ordered} is suitable for keys that are scanned by range: the encoded
 * values, as unsigned bytes, are in the order of the values. {@code null} cannot be encoded.
 *
 * @param <T> the type of the values
 */
// The constants' classes are not public and nothing else instantiates them, so their initialization
// never begins elsewhere and waits for this one's.
@SuppressWarnings("ClassInitializationDeadlock")
public interface Codec<T> {
  /** Text as UTF-8, in the order of code points; an unpaired surrogate cannot be encoded. */
  Codec<String> STRING = new StringCodec();

  /** Bytes as they are. Neither direction copies. */
  Codec<byte[]> BYTES = new BytesCodec();

  /** One byte, 0 or 1; {@code false} comes first. */
  Codec<Boolean> BOOLEAN = new FixedCodecs.OfBoolean();

  /** 4 bytes, big-endian with the sign bit flipped: numeric order, negative numbers first. */
  Codec<Integer> INT = new FixedCodecs.OfInt();

  /** 8 bytes, big-endian with the sign bit flipped: numeric order, negative numbers first. */
  Codec<Long> LONG = new FixedCodecs.OfLong();

  /** 4 bytes, plain big-endian; in the order of {@link Integer#compareUnsigned}. */
  Codec<Integer> UINT = new FixedCodecs.OfUnsignedInt();

  /** 8 bytes, plain big-endian; in the order of {@link Long#compareUnsigned}. */
  Codec<Long> ULONG = new FixedCodecs.OfUnsignedLong();

  /** 4 bytes in the order of {@link Float#compare}; all NaNs are the same. */
  Codec<Float> FLOAT = new FixedCodecs.OfFloat();

  /** 8 bytes in the order of {@link Double#compare}; all NaNs are the same. */
  Codec<Double> DOUBLE = new FixedCodecs.OfDouble();

  /**
   * 16 bytes, big-endian, so in the order of the text form. ({@link java.util.UUID#compareTo} has a
   * different order: it compares the halves as signed numbers.)
   */
  Codec<UUID> UUID = new FixedCodecs.OfUuid();

  /**
   * Returns the bytes of a value. Nobody changes them afterwards, so they may be shared.
   *
   * @throws BadArgumentException if the value cannot be encoded by this codec
   */
  byte[] encode(T value);

  /**
   * Returns the value of these bytes. Nobody changes them afterwards, so the value may keep them.
   *
   * @throws CorruptException if the bytes are not in this codec's format
   */
  T decode(byte[] bytes);

  /**
   * Decodes bytes that are lent: they are valid until this returns and must not be kept. Override
   * it, together with {@link #decodesLent}, where that saves a copy.
   *
   * @throws CorruptException if the bytes are not in this codec's format
   */
  default T decode(MemorySegment bytes) {
    return decode(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Whether {@link #decode(MemorySegment)} needs no copy of the bytes. Typed reads then decode what
   * the engine lends, inside a {@link ValueReader}.
   */
  default boolean decodesLent() {
    return false;
  }

  /**
   * Whether the order of the encoded values, as unsigned bytes, is meaningful for the values. Only
   * then may ranges of keys have bounds.
   */
  default boolean ordered() {
    return false;
  }

  /** The number of bytes of every encoded value, or -1 if it varies. */
  default int length() {
    return -1;
  }

  /**
   * A codec for a type that can be expressed by one that has a codec:
   *
   * <pre>{@code
   * Codec<Instant> MILLIS = Codec.map(Codec.LONG, Instant::ofEpochMilli, Instant::toEpochMilli);
   * }</pre>
   *
   * <p>The order and the length are those of {@code base}.
   *
   * @param to makes the value from what {@code base} decoded; an exception that it throws becomes a
   *     {@link CorruptException}
   * @param from the inverse of {@code to}
   */
  static <B, T> Codec<T> map(
      Codec<B> base, Function<? super B, ? extends T> to, Function<? super T, ? extends B> from) {
    return new MappedCodec<>(base, to, from);
  }

  /**
   * A component of a record; see {@link #of(BiFunction, TupleCodec.Field, TupleCodec.Field)}.
   *
   * @param accessor gets the component from the record
   * @param codec the component's codec
   */
  static <R, A> TupleCodec.Field<R, A> field(Function<R, A> accessor, Codec<A> codec) {
    return new TupleCodec.Field<>(accessor, codec);
  }

  /**
   * A codec for records of two components; overloads take up to six. Ordered by the first
   * component, then by the second and so on, if the components' codecs are ordered:
   *
   * <pre>{@code
   * record UserKey(String tenant, long id) {}
   * Codec<UserKey> KEY = Codec.of(
   *     UserKey::new, Codec.field(UserKey::tenant, Codec.STRING), Codec.field(UserKey::id, Codec.LONG));
   * }</pre>
   *
   * <p>The format is part of the contract: the components' bytes one after the other. In a
   * component that has no fixed length and is not the last, each byte {@code 00} is written as
   * {@code 00 FF}, and {@code 00 00} follows the component. So a shorter text sorts before its
   * continuations whatever follows, and the leading components of a key are a prefix of its bytes
   * ({@link TypedRange#matching}).
   */
  static <R, A, B> TupleCodec<R> of(
      BiFunction<A, B, R> make, TupleCodec.Field<R, A> a, TupleCodec.Field<R, B> b) {
    Arguments.given("Codec.of", "function", make);
    return new TupleCodec<>(
        parts -> make.apply(parts.get(0, a), parts.get(1, b)), Arrays.asList(a, b));
  }

  /** {@link #of(BiFunction, TupleCodec.Field, TupleCodec.Field)} with three components. */
  static <R, A, B, C> TupleCodec<R> of(
      TupleCodec.Function3<A, B, C, R> make,
      TupleCodec.Field<R, A> a,
      TupleCodec.Field<R, B> b,
      TupleCodec.Field<R, C> c) {
    Arguments.given("Codec.of", "function", make);
    return new TupleCodec<>(
        parts -> make.apply(parts.get(0, a), parts.get(1, b), parts.get(2, c)),
        Arrays.asList(a, b, c));
  }

  /** {@link #of(BiFunction, TupleCodec.Field, TupleCodec.Field)} with four components. */
  static <R, A, B, C, D> TupleCodec<R> of(
      TupleCodec.Function4<A, B, C, D, R> make,
      TupleCodec.Field<R, A> a,
      TupleCodec.Field<R, B> b,
      TupleCodec.Field<R, C> c,
      TupleCodec.Field<R, D> d) {
    Arguments.given("Codec.of", "function", make);
    return new TupleCodec<>(
        parts -> make.apply(parts.get(0, a), parts.get(1, b), parts.get(2, c), parts.get(3, d)),
        Arrays.asList(a, b, c, d));
  }

  /** {@link #of(BiFunction, TupleCodec.Field, TupleCodec.Field)} with five components. */
  static <R, A, B, C, D, E> TupleCodec<R> of(
      TupleCodec.Function5<A, B, C, D, E, R> make,
      TupleCodec.Field<R, A> a,
      TupleCodec.Field<R, B> b,
      TupleCodec.Field<R, C> c,
      TupleCodec.Field<R, D> d,
      TupleCodec.Field<R, E> e) {
    Arguments.given("Codec.of", "function", make);
    return new TupleCodec<>(
        parts ->
            make.apply(
                parts.get(0, a),
                parts.get(1, b),
                parts.get(2, c),
                parts.get(3, d),
                parts.get(4, e)),
        Arrays.asList(a, b, c, d, e));
  }

  /** {@link #of(BiFunction, TupleCodec.Field, TupleCodec.Field)} with six components. */
  static <R, A, B, C, D, E, F> TupleCodec<R> of(
      TupleCodec.Function6<A, B, C, D, E, F, R> make,
      TupleCodec.Field<R, A> a,
      TupleCodec.Field<R, B> b,
      TupleCodec.Field<R, C> c,
      TupleCodec.Field<R, D> d,
      TupleCodec.Field<R, E> e,
      TupleCodec.Field<R, F> f) {
    Arguments.given("Codec.of", "function", make);
    return new TupleCodec<>(
        parts ->
            make.apply(
                parts.get(0, a),
                parts.get(1, b),
                parts.get(2, c),
                parts.get(3, d),
                parts.get(4, e),
                parts.get(5, f)),
        Arrays.asList(a, b, c, d, e, f));
  }
}

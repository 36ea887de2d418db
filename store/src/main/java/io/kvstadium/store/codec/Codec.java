package io.kvstadium.store.codec;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Converts values of a type to byte strings and back. Immutable and thread-safe.
 *
 * <p>In addition to the constants, there are codecs for {@linkplain #record(Class) records} and for
 * {@linkplain #map other types} that can be expressed by one that has a codec. For anything else,
 * implement this interface.
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

  /** 8 bytes in the order of {@link Double#compare}; all NaNs are the same. */
  Codec<Double> DOUBLE = new FixedCodecs.OfDouble();

  /**
   * 16 bytes, big-endian, so in the order of the text form. ({@link java.util.UUID#compareTo} has a
   * different order: it compares the halves as signed numbers.)
   */
  Codec<UUID> UUID = new FixedCodecs.OfUuid();

  /** 12 bytes: the seconds since 1970 like a {@link #LONG}, then the nanoseconds. */
  Codec<Instant> INSTANT = new FixedCodecs.OfInstant();

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
   * The codec of a record: its components one after the other, ordered by the first, then by the
   * second and so on.
   *
   * <pre>{@code
   * record Visit(String tenant, long day, String page) {}
   * Codec<Visit> VISIT = Codec.record(Visit.class);
   * }</pre>
   *
   * <p>Components may be of the types that have a codec among these constants, enums (as their
   * names, in the order of these), and records of such types. A component cannot be {@code null}.
   *
   * <p>The format is part of the contract: the components' bytes one after the other. In a
   * component that has no fixed length, each byte {@code 00} is written as {@code 00 FF}, and
   * {@code 00 00} follows the component. So a shorter text sorts before its continuations whatever
   * follows, and the leading components of a key are a prefix of its bytes ({@link
   * io.kvstadium.store.Range#prefix(Codec, Object...)}).
   *
   * <p>A record may rename its components, and may gain or lose none: what was written with more or
   * fewer of them is a {@link CorruptException}. Names and types are not stored, so what was
   * written with as many of other types is found out only if it is not in their form.
   *
   * @throws BadArgumentException if a component's type has no codec, or the record is in a module
   *     that does not open its package to {@code io.kvstadium.store}
   */
  static <R extends Record> Codec<R> record(Class<R> type) {
    return record(type, Map.of());
  }

  /**
   * {@link #record(Class)} with the codecs of some of its components, by their names.
   *
   * @throws BadArgumentException also if there is no component of such a name
   */
  static <R extends Record> Codec<R> record(Class<R> type, Map<String, Codec<?>> components) {
    return TupleCodec.of(type, components);
  }

  /**
   * A codec that adds a checksum to the bytes of another, so that damage to them is found when they
   * are read: CRC32C, which hardware computes, in 4 bytes behind them, least significant first. For
   * values on engines without {@link io.kvstadium.store.Capability#CHECKSUMS}. Not ordered.
   *
   * @throws BadArgumentException if the codec is null
   */
  static <T> Codec<T> checked(Codec<T> codec) {
    return new CheckedCodec<>(codec);
  }

  /**
   * The codec of lists of one length, with a codec for each element, where there is no record for
   * them. The format is that of {@link #record(Class)}.
   */
  static Codec<List<Object>> tuple(List<? extends Codec<?>> elements) {
    return TupleCodec.of(elements);
  }
}

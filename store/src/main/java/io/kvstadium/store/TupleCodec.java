package io.kvstadium.store;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The codec of records with several components, made by {@link Codec#of}. Its format is described
 * there.
 *
 * @param <R> the type of the records
 */
public final class TupleCodec<R> implements Codec<R> {
  /**
   * A component: how to get it from a record, and its codec. If it is kept in a constant, it can
   * also be used to ask for a range, as in {@code TypedRange.matching(TENANT.is("acme"),
   * YEAR.atLeast(2026))}.
   *
   * @param accessor gets the component from the record
   * @param codec the component's codec
   * @param <R> the type of the records
   * @param <A> the type of the component
   */
  public record Field<R, A>(Function<R, A> accessor, Codec<A> codec) {
    public Field {
      Arguments.given("Codec.field", "accessor", accessor);
      Arguments.given("Codec.field", "codec", codec);
    }

    /** Matches the records whose component has this value. */
    public Match<R> is(A value) {
      byte[] bytes = bound("is", value);
      return new Match<>(this, Range.all().from(bytes, true).to(bytes, true), true);
    }

    /**
     * Matches the records whose encoded component starts with that of {@code start}; may only be
     * the last match of a range.
     *
     * @throws BadArgumentException if all the component's encoded values have the same length, so
     *     that none starts with another
     */
    public Match<R> startsWith(A start) {
      if (codec.length() >= 0) {
        throw new BadArgumentException(
            codec + " has values of one length, none of which starts with another: use is(…)");
      }
      return new Match<>(this, Range.prefix(bound("startsWith", start)), false);
    }

    /**
     * Matches the records whose component is {@code from} or more, and less than {@code to}; like
     * the other matches with a bound, only as the last one of a range.
     *
     * @throws BadArgumentException if the component's codec keeps no order
     */
    public Match<R> between(A from, A to) {
      return within(Range.between(ordered("between", from), ordered("between", to)));
    }

    /** Matches the records whose component is {@code from} or more; see {@link #between}. */
    public Match<R> atLeast(A from) {
      return within(Range.all().from(ordered("atLeast", from), true));
    }

    /** Matches the records whose component is more than {@code from}; see {@link #between}. */
    public Match<R> greaterThan(A from) {
      return within(Range.all().from(ordered("greaterThan", from), false));
    }

    /** Matches the records whose component is {@code to} or less; see {@link #between}. */
    public Match<R> atMost(A to) {
      return within(Range.all().to(ordered("atMost", to), true));
    }

    /** Matches the records whose component is less than {@code to}; see {@link #between}. */
    public Match<R> lessThan(A to) {
      return within(Range.all().to(ordered("lessThan", to), false));
    }

    private Match<R> within(Range component) {
      return new Match<>(this, component, false);
    }

    private byte[] ordered(String call, A value) {
      if (!codec.ordered()) {
        throw new BadArgumentException(
            call + ": the codec " + codec + " keeps no order, so its values have no range");
      }
      return bound(call, value);
    }

    private byte[] bound(String call, A value) {
      return codec.encode(Arguments.given(call, "component", value));
    }
  }

  /**
   * A range's condition on one component; made by the methods of {@link Field}.
   *
   * @param <R> the type of the records
   */
  public static final class Match<R> {
    private final Field<R, ?> field;
    private final Range component; // of the component's own bytes
    private final boolean exact;

    private Match(Field<R, ?> field, Range component, boolean exact) {
      this.field = field;
      this.component = component;
      this.exact = exact;
    }

    @Override
    public String toString() {
      byte[] from = component.from();
      byte[] to = component.to();
      if (exact && from != null) {
        return field.codec() + " is " + Hex.of(from);
      }
      return field.codec()
          + (from == null ? "" : (component.fromInclusive() ? " from " : " after ") + Hex.of(from))
          + (to == null ? "" : (component.toInclusive() ? " to " : " before ") + Hex.of(to));
    }
  }

  /** Makes a record of three components. */
  @FunctionalInterface
  public interface Function3<A, B, C, R> {
    R apply(A a, B b, C c);
  }

  /** Makes a record of four components. */
  @FunctionalInterface
  public interface Function4<A, B, C, D, R> {
    R apply(A a, B b, C c, D d);
  }

  /** Makes a record of five components. */
  @FunctionalInterface
  public interface Function5<A, B, C, D, E, R> {
    R apply(A a, B b, C c, D d, E e);
  }

  /** Makes a record of six components. */
  @FunctionalInterface
  public interface Function6<A, B, C, D, E, F, R> {
    R apply(A a, B b, C c, D d, E e, F f);
  }

  private static final byte ESCAPED = (byte) 0xff;

  private final Function<Parts, R> make;
  private final List<Field<R, ?>> fields;

  TupleCodec(Function<Parts, R> make, List<Field<R, ?>> fields) {
    this.make = make;
    for (Field<R, ?> field : fields) {
      Arguments.given("Codec.of", "field", field);
    }
    this.fields = List.copyOf(fields);
  }

  @Override
  public byte[] encode(R value) {
    Arguments.given(this, "record", value);
    ByteArrayOutputStream out = new ByteArrayOutputStream(32);
    for (int i = 0; i < fields.size(); i++) {
      write(out, i, encodeComponent(fields.get(i), value));
    }
    return out.toByteArray();
  }

  @Override
  public R decode(byte[] bytes) {
    Parts parts = split(bytes);
    try {
      return make.apply(parts);
    } catch (StadiumException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptException(this + ": the constructor refused " + Hex.of(bytes) + ": " + e, e);
    }
  }

  @Override
  public boolean ordered() {
    return fields.stream().allMatch(field -> field.codec().ordered());
  }

  @Override
  public int length() {
    int sum = 0;
    for (Field<R, ?> field : fields) {
      int length = field.codec().length();
      if (length < 0) {
        return -1;
      }
      sum += length;
    }
    return sum;
  }

  @Override
  public String toString() {
    return fields.stream()
        .map(field -> field.codec().toString())
        .collect(Collectors.joining(", ", "of(", ")"));
  }

  /**
   * The keys whose leading components match, in that order. Because components are written so that
   * their order is kept and none begins with another, a bound on one is a bound on the key.
   *
   * @param matches at least one
   */
  Range range(List<Match<R>> matches) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(32);
    for (int i = 0; i < matches.size(); i++) {
      Match<R> match = matches.get(i);
      if (i >= fields.size() || !match.field.equals(fields.get(i))) {
        throw new BadArgumentException(
            "match "
                + (i + 1)
                + " of a range ("
                + match
                + ") is not of component "
                + (i + 1)
                + " of the key codec "
                + this
                + ": give the leading components, in order, with the same Field objects");
      }
      byte[] value = match.component.from();
      if (i == matches.size() - 1) {
        return within(out.toByteArray(), i, match.component);
      }
      if (!match.exact || value == null) {
        throw new BadArgumentException(
            "match " + (i + 1) + " of a range (" + match + ") may only be the last one");
      }
      write(out, i, value);
    }
    throw new IllegalArgumentException("no match");
  }

  /** The keys that begin with {@code start} and go on with a component in {@code bounds}. */
  private Range within(byte[] start, int component, Range bounds) {
    boolean last = component == fields.size() - 1;
    Range range = start.length == 0 ? Range.all() : Range.prefix(start);
    byte[] from = bounds.from();
    if (from != null) {
      byte[] key = append(start, component, from);
      boolean exact = last || bounds.fromInclusive();
      byte[] least = exact ? key : Range.prefix(key).to();
      if (least == null) {
        return Range.between(key, key); // it is the greatest component: none is above it
      }
      range = range.from(least, !exact || bounds.fromInclusive());
    }
    byte[] to = bounds.to();
    if (to != null) {
      byte[] key = append(start, component, to);
      boolean exact = last || !bounds.toInclusive();
      byte[] end = exact ? key : Range.prefix(key).to();
      range = end == null ? range : range.to(end, exact && bounds.toInclusive());
    }
    return range;
  }

  private byte[] append(byte[] start, int component, byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(start.length + bytes.length + 2);
    out.writeBytes(start);
    write(out, component, bytes);
    return out.toByteArray();
  }

  private <A> byte[] encodeComponent(Field<R, A> field, R value) {
    A component = field.accessor().apply(value);
    if (component == null) {
      throw new BadArgumentException(
          this + ": component " + (fields.indexOf(field) + 1) + " of " + value + " is null");
    }
    byte[] bytes = field.codec().encode(component);
    int length = field.codec().length();
    if (length >= 0 && bytes.length != length) {
      throw new BadArgumentException(
          "codec "
              + field.codec()
              + " says that its values have "
              + length
              + " bytes, but encoded one to "
              + Hex.of(bytes)
              + ": correct its length()");
    }
    return bytes;
  }

  private boolean isEscaped(int component) {
    return component < fields.size() - 1 && fields.get(component).codec().length() < 0;
  }

  private void write(ByteArrayOutputStream out, int component, byte[] bytes) {
    writeContent(out, component, bytes);
    if (isEscaped(component)) {
      out.write(0);
      out.write(0);
    }
  }

  private void writeContent(ByteArrayOutputStream out, int component, byte[] bytes) {
    if (!isEscaped(component)) {
      out.writeBytes(bytes);
      return;
    }
    for (byte b : bytes) {
      out.write(b);
      if (b == 0) {
        out.write(ESCAPED);
      }
    }
  }

  private Parts split(byte[] bytes) {
    byte[][] parts = new byte[fields.size()][];
    int at = 0;
    for (int i = 0; i < parts.length; i++) {
      int length = fields.get(i).codec().length();
      if (i == parts.length - 1) {
        parts[i] = Arrays.copyOfRange(bytes, at, bytes.length);
      } else if (length >= 0) {
        if (bytes.length - at < length) {
          throw corrupt(
              bytes, i, "it takes " + length + " bytes, " + (bytes.length - at) + " left");
        }
        parts[i] = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
      } else {
        int end = terminator(bytes, at, i);
        parts[i] = unescape(bytes, at, end);
        at = end + 2;
      }
    }
    return new Parts(this, bytes, parts);
  }

  /** The offset of {@code 00 00}, not counting what is escaped. */
  private int terminator(byte[] bytes, int start, int component) {
    int at = start;
    while (at + 1 < bytes.length) {
      if (bytes[at] != 0) {
        at++;
      } else if (bytes[at + 1] == 0) {
        return at;
      } else if (bytes[at + 1] == ESCAPED) {
        at += 2;
      } else {
        throw corrupt(bytes, component, "00 is followed neither by 00 nor by FF at offset " + at);
      }
    }
    throw corrupt(bytes, component, "its end (00 00) is missing");
  }

  private static byte[] unescape(byte[] bytes, int start, int end) {
    byte[] plain = new byte[end - start];
    int length = 0;
    for (int at = start; at < end; at++) {
      plain[length++] = bytes[at];
      if (bytes[at] == 0) {
        at++; // the FF after it
      }
    }
    return length == plain.length ? plain : Arrays.copyOf(plain, length);
  }

  private CorruptException corrupt(byte[] bytes, int component, String why) {
    return new CorruptException(complaint(bytes, component, why));
  }

  private String complaint(byte[] bytes, int component, @Nullable String why) {
    return this
        + ": component "
        + (component + 1)
        + " of "
        + Hex.of(bytes)
        + " cannot be read: "
        + why;
  }

  /** The bytes of one record's components. */
  static final class Parts {
    private final TupleCodec<?> codec;
    private final byte[] whole;
    private final byte[][] parts;

    private Parts(TupleCodec<?> codec, byte[] whole, byte[][] parts) {
      this.codec = codec;
      this.whole = whole;
      this.parts = parts;
    }

    <A> A get(int component, Field<?, A> field) {
      try {
        return field.codec().decode(parts[component]);
      } catch (CorruptException e) {
        throw new CorruptException(codec.complaint(whole, component, e.getMessage()), e);
      }
    }
  }
}

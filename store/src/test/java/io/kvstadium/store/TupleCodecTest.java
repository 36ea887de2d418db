package io.kvstadium.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class TupleCodecTest {
  record UserKey(String tenant, long id) {}

  @SuppressWarnings("ArrayRecordComponent") // compared by PATH_ORDER only
  record Path(String first, byte[] second, int third, String last) {}

  record Six(boolean a, int b, long c, float d, double e, UUID f) {
    Six {
      if (b == 13) {
        throw new IllegalArgumentException("not 13");
      }
    }
  }

  static final TupleCodec.Field<UserKey, String> TENANT =
      Codec.field(UserKey::tenant, Codec.STRING);
  static final TupleCodec.Field<UserKey, Long> ID = Codec.field(UserKey::id, Codec.LONG);
  static final Codec<UserKey> USER_KEY = Codec.of(UserKey::new, TENANT, ID);

  static final TupleCodec.Field<Path, String> FIRST = Codec.field(Path::first, Codec.STRING);
  static final TupleCodec.Field<Path, byte[]> SECOND = Codec.field(Path::second, Codec.BYTES);
  static final TupleCodec.Field<Path, Integer> THIRD = Codec.field(Path::third, Codec.INT);
  static final TupleCodec.Field<Path, String> LAST = Codec.field(Path::last, Codec.STRING);
  static final Codec<Path> PATH = Codec.of(Path::new, FIRST, SECOND, THIRD, LAST);

  private static final Codec<Six> SIX =
      Codec.of(
          Six::new,
          Codec.field(Six::a, Codec.BOOLEAN),
          Codec.field(Six::b, Codec.INT),
          Codec.field(Six::c, Codec.LONG),
          Codec.field(Six::d, Codec.FLOAT),
          Codec.field(Six::e, Codec.DOUBLE),
          Codec.field(Six::f, Codec.UUID));

  private static final Comparator<Path> PATH_ORDER =
      Comparator.comparing(Path::first)
          .thenComparing(Path::second, Arrays::compareUnsigned)
          .thenComparingInt(Path::third)
          .thenComparing(Path::last);

  @SuppressWarnings("ArrayRecordComponent") // compared by its parts only
  record Event(String source, UUID device, long at, byte[] tag) {}

  /** A component, with the order that its values are in. */
  record Part<A>(TupleCodec.Field<Event, A> field, Comparator<A> order) {
    A of(Event event) {
      return field.accessor().apply(event);
    }

    TupleCodec.Match<Event> is(Event event) {
      return field.is(of(event));
    }

    int compare(Event a, Event b) {
      return order.compare(of(a), of(b));
    }

    /** Whether each way to bound this component finds exactly the keys of its bounds. */
    void check(List<TupleCodec.Match<Event>> before, boolean matches, Event key, Event a, Event b) {
      A from = of(a);
      A to = of(b);
      int above = compare(key, a);
      int below = compare(key, b);
      expect(before, field.between(from, to), key, matches && above >= 0 && below < 0);
      expect(before, field.atLeast(from), key, matches && above >= 0);
      expect(before, field.greaterThan(from), key, matches && above > 0);
      expect(before, field.atMost(to), key, matches && below <= 0);
      expect(before, field.lessThan(to), key, matches && below < 0);
    }

    @SuppressWarnings("unchecked") // the array is only read
    private static void expect(
        List<TupleCodec.Match<Event>> before,
        TupleCodec.Match<Event> bound,
        Event key,
        boolean expected) {
      TupleCodec.Match<Event>[] all =
          Stream.concat(before.stream(), Stream.of(bound)).toArray(TupleCodec.Match[]::new);
      Range range = TypedRange.matching(all).encode(EVENT);

      assertThat(!range.isEmpty() && range.contains(EVENT.encode(key)))
          .as("%s after %s", bound, before)
          .isEqualTo(expected);
    }
  }

  private static final List<Part<?>> PARTS =
      List.of(
          new Part<>(Codec.field(Event::source, Codec.STRING), Comparator.naturalOrder()),
          new Part<>(Codec.field(Event::device, Codec.UUID), Comparator.comparing(UUID::toString)),
          new Part<>(Codec.field(Event::at, Codec.LONG), Comparator.naturalOrder()),
          new Part<>(Codec.field(Event::tag, Codec.BYTES), Arrays::compareUnsigned));

  @SuppressWarnings("unchecked") // in the order of the list above
  private static final Codec<Event> EVENT =
      Codec.of(
          Event::new,
          (TupleCodec.Field<Event, String>) PARTS.get(0).field(),
          (TupleCodec.Field<Event, UUID>) PARTS.get(1).field(),
          (TupleCodec.Field<Event, Long>) PARTS.get(2).field(),
          (TupleCodec.Field<Event, byte[]>) PARTS.get(3).field());

  /** Few values, the least and the greatest of each type among them. */
  @Provide
  static Arbitrary<Event> events() {
    Arbitrary<UUID> devices =
        Arbitraries.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE).map(half -> new UUID(half, -1));
    return Combinators.combine(
            Arbitraries.of("", "a", "a\0", "ab", "b", "\uffff"),
            devices,
            Arbitraries.of(Long.MIN_VALUE, -3L, -1L, 0L, 5L, Long.MAX_VALUE),
            Arbitraries.of((byte) 0, (byte) 0xff).array(byte[].class).ofMaxSize(2))
        .as(Event::new);
  }

  @Property
  void aBoundOnAComponentIsARange(
      @ForAll("events") Event key,
      @ForAll("events") Event from,
      @ForAll("events") Event to,
      @ForAll @IntRange(min = 0, max = 3) int depth) {
    List<Part<?>> leading = PARTS.subList(0, depth);
    Event like = depth % 2 == 0 ? from : key; // or longer matches would be rare

    PARTS
        .get(depth)
        .check(
            leading.stream().<TupleCodec.Match<Event>>map(part -> part.is(like)).toList(),
            leading.stream().allMatch(part -> part.compare(key, like) == 0),
            key,
            from,
            to);
  }

  /** Few characters and lengths, so that equal, shorter and longer components meet often. */
  @Provide
  static Arbitrary<Path> paths() {
    Arbitrary<String> texts =
        Arbitraries.strings().withChars('\0', '\1', 'a', '\uffff').ofMaxLength(3);
    Arbitrary<byte[]> bytes =
        Arbitraries.of((byte) 0, (byte) 1, (byte) 0xff).array(byte[].class).ofMaxSize(3);
    return Combinators.combine(texts, bytes, Arbitraries.of(-1, 0, 1, Integer.MAX_VALUE), texts)
        .as(Path::new);
  }

  @Property
  void tuplesKeepTheOrderOfTheirComponents(@ForAll("paths") Path a, @ForAll("paths") Path b) {
    assertThat(Integer.signum(Arrays.compareUnsigned(PATH.encode(a), PATH.encode(b))))
        .isEqualTo(Integer.signum(PATH_ORDER.compare(a, b)));
  }

  @Property
  void tuplesComeBack(@ForAll("paths") Path path) {
    Path back = PATH.decode(PATH.encode(path));

    assertThat(PATH_ORDER.compare(back, path)).isZero();
  }

  @Property
  void leadingComponentsAreARange(@ForAll("paths") Path key, @ForAll("paths") Path wanted) {
    boolean first = key.first().equals(wanted.first());
    boolean second = first && Arrays.equals(key.second(), wanted.second());
    boolean third = second && key.third() == wanted.third();

    assertThat(found(key, TypedRange.matching(FIRST.is(wanted.first())))).isEqualTo(first);
    assertThat(
            found(key, TypedRange.matching(FIRST.is(wanted.first()), SECOND.is(wanted.second()))))
        .isEqualTo(second);
    assertThat(
            found(
                key,
                TypedRange.matching(
                    FIRST.is(wanted.first()),
                    SECOND.is(wanted.second()),
                    THIRD.is(wanted.third()))))
        .isEqualTo(third);
    assertThat(
            found(
                key,
                TypedRange.matching(
                    FIRST.is(wanted.first()),
                    SECOND.is(wanted.second()),
                    THIRD.is(wanted.third()),
                    LAST.is(wanted.last()))))
        .isEqualTo(third && key.last().equals(wanted.last()));
  }

  @Property
  void theBeginningOfAComponentIsARange(@ForAll("paths") Path key, @ForAll("paths") Path wanted) {
    boolean first = key.first().equals(wanted.first());
    boolean third =
        first && Arrays.equals(key.second(), wanted.second()) && key.third() == wanted.third();

    assertThat(found(key, TypedRange.matching(FIRST.startsWith(wanted.first()))))
        .isEqualTo(key.first().startsWith(wanted.first()));
    assertThat(
            found(
                key,
                TypedRange.matching(
                    FIRST.is(wanted.first()),
                    SECOND.is(wanted.second()),
                    THIRD.is(wanted.third()),
                    LAST.startsWith(wanted.last()))))
        .isEqualTo(third && key.last().startsWith(wanted.last()));
  }

  @Property
  void whateverBytesThereAreTheyAreEitherReadWhollyOrRefused(@ForAll byte[] bytes) {
    Path path;
    try {
      path = PATH.decode(bytes);
    } catch (CorruptException e) {
      assertThat(e).hasMessageContaining("component");
      return;
    }
    assertThat(PATH.encode(path)).isEqualTo(bytes);
  }

  @Property
  void sixFixedComponentsHaveOneLength(
      @ForAll boolean a, @ForAll long c, @ForAll float d, @ForAll double e) {
    Six six = new Six(a, 5, c, d, e, new UUID(c, 7));

    assertThat(SIX.decode(SIX.encode(six))).isEqualTo(six);
    assertThat(SIX.encode(six)).hasSize(SIX.length()).hasSize(1 + 4 + 8 + 4 + 8 + 16);
    assertThat(SIX.ordered()).isTrue();
  }

  @Property
  void aTupleMayBeAComponent(@ForAll String tenant, @ForAll long id, @ForAll boolean flag) {
    record Nested(UserKey user, boolean flag) {}

    Codec<Nested> codec =
        Codec.of(
            Nested::new,
            Codec.field(Nested::user, USER_KEY),
            Codec.field(Nested::flag, Codec.BOOLEAN));
    String text = new String(tenant.getBytes(UTF_8), UTF_8);
    Nested nested = new Nested(new UserKey(text, id), flag);

    assertThat(codec.decode(codec.encode(nested))).isEqualTo(nested);
    assertThat(codec.ordered()).isTrue();
  }

  @Example
  void theFormIsFixed() {
    assertThat(HexFormat.of().formatHex(USER_KEY.encode(new UserKey("a\0b", 1))))
        .isEqualTo("61" + "00ff" + "62" + "0000" + "8000000000000001");
    assertThat(USER_KEY.length()).isEqualTo(-1);
    assertThat(USER_KEY).hasToString("of(STRING, LONG)");
  }

  @Example
  void whatCannotBeReadSaysWhichComponent() {
    assertThatThrownBy(() -> USER_KEY.decode(HexFormat.of().parseHex("6161")))
        .isInstanceOf(CorruptException.class)
        .hasMessage(
            "of(STRING, LONG): component 1 of 0x6161 (2 bytes) cannot be read: its end (00 00) is"
                + " missing");
    assertThatThrownBy(() -> USER_KEY.decode(HexFormat.of().parseHex("610007")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("00 is followed neither by 00 nor by FF at offset 1");
    assertThatThrownBy(() -> USER_KEY.decode(HexFormat.of().parseHex("61000012")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("component 2 of")
        .hasMessageContaining("LONG takes 8 bytes, found 0x12 (1 byte)");
    assertThatThrownBy(() -> SIX.decode(new byte[3]))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("component 2 of")
        .hasMessageContaining("it takes 4 bytes, 2 left");
  }

  @Example
  void whatTheConstructorRefusesIsCorrupt() {
    byte[] bytes = SIX.encode(new Six(true, 12, 0, 0, 0, new UUID(0, 0)));
    bytes[4]++;

    assertThatThrownBy(() -> SIX.decode(bytes))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("the constructor refused")
        .hasRootCauseMessage("not 13");
  }

  @Example
  void aTupleWithAnUnorderedComponentIsUnordered() {
    Codec<String> unordered =
        new Codec<>() {
          @Override
          public byte[] encode(String value) {
            return Codec.STRING.encode(value);
          }

          @Override
          public String decode(byte[] bytes) {
            return Codec.STRING.decode(bytes);
          }
        };
    Codec<UserKey> codec = Codec.of(UserKey::new, Codec.field(UserKey::tenant, unordered), ID);

    assertThat(codec.ordered()).isFalse();
  }

  @Example
  void aCodecThatLiesAboutItsLengthIsFoundOut() {
    Codec<Long> liar =
        new Codec<>() {
          @Override
          public byte[] encode(Long value) {
            return new byte[3];
          }

          @Override
          public Long decode(byte[] bytes) {
            return 0L;
          }

          @Override
          public int length() {
            return 8;
          }

          @Override
          public String toString() {
            return "LIAR";
          }
        };
    Codec<UserKey> codec = Codec.of(UserKey::new, TENANT, Codec.field(UserKey::id, liar));

    assertThatThrownBy(() -> codec.encode(new UserKey("a", 1)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("codec LIAR says that its values have 8 bytes");
  }

  private static boolean found(Path key, TypedRange<Path> range) {
    return range.encode(PATH).contains(PATH.encode(key));
  }
}

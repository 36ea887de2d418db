package io.kvstadium.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

public class TupleCodecTest {
  public record UserKey(String tenant, long id) {}

  @SuppressWarnings("ArrayRecordComponent") // compared by PATH_ORDER only
  record Path(String first, byte[] second, int third, String last) {}

  record Six(boolean a, int b, long c, Instant d, double e, UUID f) {
    Six {
      if (b == 13) {
        throw new IllegalArgumentException("not 13");
      }
    }
  }

  public static final Codec<UserKey> USER_KEY = Codec.record(UserKey.class);
  static final Codec<Path> PATH = Codec.record(Path.class);

  private static final Codec<Six> SIX = Codec.record(Six.class);

  private static final Comparator<Path> PATH_ORDER =
      Comparator.comparing(Path::first)
          .thenComparing(Path::second, Arrays::compareUnsigned)
          .thenComparingInt(Path::third)
          .thenComparing(Path::last);

  @SuppressWarnings("ArrayRecordComponent") // compared by its parts only
  record Event(String source, UUID device, long at, byte[] tag) {}

  private static final Codec<Event> EVENT = Codec.record(Event.class);

  /** The components, with the order that the values of each are in. */
  private static final List<Function<Event, Object>> PARTS =
      List.of(Event::source, Event::device, Event::at, Event::tag);

  private static int compare(int component, Event a, Event b) {
    return switch (component) {
      case 0 -> a.source().compareTo(b.source());
      case 1 -> a.device().toString().compareTo(b.device().toString());
      case 2 -> Long.compare(a.at(), b.at());
      default -> Arrays.compareUnsigned(a.tag(), b.tag());
    };
  }

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

  /** Of the first components, as many as there are. */
  private static int compare(Event key, Event bound, int depth) {
    return IntStream.range(0, depth)
        .map(i -> compare(i, key, bound))
        .filter(order -> order != 0)
        .findFirst()
        .orElse(0);
  }

  private static List<Object> leading(Event event, int depth) {
    return PARTS.subList(0, depth).stream().map(part -> part.apply(event)).toList();
  }

  @Property
  void leadingComponentsAreBounds(
      @ForAll("events") Event key,
      @ForAll("events") Event from,
      @ForAll("events") Event to,
      @ForAll @IntRange(min = 0, max = 4) int low,
      @ForAll @IntRange(min = 0, max = 4) int high) {
    boolean above = compare(key, from, low) >= 0;
    boolean below = high == 0 || compare(key, to, high) < 0;

    expect(Range.between(EVENT, leading(from, low), leading(to, high)), key, above && below);
  }

  private static void expect(Range<Event> asked, Event key, boolean expected) {
    Range<byte[]> range = asked.encode(EVENT);

    assertThat(!range.isEmpty() && range.contains(EVENT.encode(key)))
        .as("%s", range)
        .isEqualTo(expected);
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

    assertThat(found(key, Range.prefix(PATH, wanted.first()))).isEqualTo(first);
    assertThat(found(key, Range.prefix(PATH, wanted.first(), wanted.second()))).isEqualTo(second);
    assertThat(found(key, Range.prefix(PATH, wanted.first(), wanted.second(), wanted.third())))
        .isEqualTo(third);
    assertThat(
            found(
                key,
                Range.prefix(PATH, wanted.first(), wanted.second(), wanted.third(), wanted.last())))
        .isEqualTo(third && key.last().equals(wanted.last()));
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

  /** Also inside another one. */
  @Property
  void whatHasMoreOrFewerComponentsIsNotRead(@ForAll("paths") Path path) {
    List<Codec<?>> same = List.of(Codec.STRING, Codec.BYTES, Codec.INT, Codec.STRING);
    List<List<Codec<?>>> others = new ArrayList<>();
    for (int size = 1; size < same.size(); size++) {
      others.add(same.subList(0, size));
    }
    for (Codec<?> more : List.of(Codec.STRING, Codec.BYTES, Codec.LONG, Codec.BOOLEAN, USER_KEY)) {
      others.add(Stream.concat(same.stream(), Stream.of(more)).toList());
    }
    byte[] bytes = PATH.encode(path);
    byte[] inside = Codec.tuple(List.of(PATH, Codec.LONG)).encode(List.of(path, 1L));

    assertThat(Codec.tuple(same).decode(bytes)).hasSize(4);
    for (List<Codec<?>> other : others) {
      Codec<List<Object>> codec = Codec.tuple(other);
      assertThatThrownBy(() -> codec.decode(bytes))
          .as("%s", codec)
          .isInstanceOf(CorruptException.class);
      assertThatThrownBy(() -> Codec.tuple(List.of(codec, Codec.LONG)).decode(inside))
          .as("%s", codec)
          .isInstanceOf(CorruptException.class);
    }
  }

  @Property
  void sixFixedComponentsHaveOneLength(
      @ForAll boolean a, @ForAll long c, @ForAll int d, @ForAll double e) {
    Six six = new Six(a, 5, c, Instant.ofEpochSecond(d), e, new UUID(c, 7));

    assertThat(SIX.decode(SIX.encode(six))).isEqualTo(six);
    assertThat(SIX.encode(six)).hasSize(SIX.length()).hasSize(1 + 4 + 8 + 12 + 8 + 16);
    assertThat(SIX.ordered()).isTrue();
  }

  @Property
  void recordsEnumsAndOtherCodecsMayBeComponents(
      @ForAll String tenant, @ForAll long id, @ForAll Thread.State state, @ForAll float weight) {
    record Nested(UserKey user, Thread.State state, float weight) {}

    Codec<Float> floats = Codec.map(Codec.DOUBLE, Double::floatValue, Float::doubleValue);
    Codec<Nested> codec = Codec.record(Nested.class, Map.of("weight", floats));
    String text = new String(tenant.getBytes(UTF_8), UTF_8);
    Nested nested = new Nested(new UserKey(text, id), state, weight);

    assertThat(codec.decode(codec.encode(nested))).isEqualTo(nested);
    assertThat(codec.ordered()).isTrue();
    assertThat(Codec.tuple(List.of(Codec.STRING, Codec.LONG)).encode(List.of(text, id)))
        .isEqualTo(USER_KEY.encode(nested.user()));
  }

  @Example
  void recordsWithoutACodecAreRefusedInWords() {
    record Weighed(String name, float weight) {}
    record Nothing() {}

    assertThatThrownBy(() -> Codec.record(Weighed.class))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("component weight of")
        .hasMessageContaining("type float, which has no codec")
        .hasMessageContaining("Codec.record(Weighed.class, Map.of(\"weight\", codec))");
    assertThatThrownBy(() -> Codec.record(UserKey.class, Map.of("idd", Codec.LONG)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("no component [idd]: its components are [tenant, id]");
    assertThatThrownBy(() -> Codec.record(Nothing.class))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("has no components");
    assertThatThrownBy(() -> USER_KEY.encode(new UserKey(null, 1)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("component tenant of UserKey[tenant=null, id=1] is null");
    assertThatThrownBy(() -> Codec.tuple(List.of(Codec.LONG)).encode(List.of(1L, 2L)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("a tuple has 2 elements, but its codec takes 1");
    assertThatThrownBy(() -> Codec.tuple(List.of(Codec.LONG)).encode(List.of(1)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("component 1 of the codec tuple(LONG) is a LONG, but is given 1");
  }

  record Link(String name, Chain rest) {}

  record Chain(Link first) {}

  @Example
  void aRecordThatContainsItselfNeedsACodecForThat() {
    assertThatThrownBy(() -> Codec.record(Link.class))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("component first of");
  }

  @Example
  void theFormIsFixed() {
    assertThat(HexFormat.of().formatHex(USER_KEY.encode(new UserKey("a\0b", 1))))
        .isEqualTo("61" + "00ff" + "62" + "0000" + "8000000000000001");
    assertThat(HexFormat.of().formatHex(Codec.tuple(List.of(Codec.STRING)).encode(List.of("a"))))
        .isEqualTo("61" + "0000");
    assertThat(USER_KEY.length()).isEqualTo(-1);
    assertThat(USER_KEY).hasToString("UserKey(STRING, LONG)");
  }

  @Example
  void whatCannotBeReadSaysWhichComponent() {
    assertThatThrownBy(() -> USER_KEY.decode(HexFormat.of().parseHex("6161")))
        .isInstanceOf(CorruptException.class)
        .hasMessage(
            "UserKey(STRING, LONG): component tenant of 0x6161 (2 bytes) cannot be read: its end (00 00)"
                + " is missing");
    assertThatThrownBy(() -> USER_KEY.decode(HexFormat.of().parseHex("610007")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("00 is followed neither by 00 nor by FF at offset 1");
    assertThatThrownBy(() -> USER_KEY.decode(HexFormat.of().parseHex("61000012")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("component id of")
        .hasMessageContaining("it takes 8 bytes, 1 left");
    assertThatThrownBy(() -> SIX.decode(new byte[3]))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("component b of")
        .hasMessageContaining("it takes 4 bytes, 2 left");
  }

  @Example
  void whatTheConstructorRefusesIsCorrupt() {
    byte[] bytes = SIX.encode(new Six(true, 12, 0, Instant.EPOCH, 0, new UUID(0, 0)));
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
    Codec<UserKey> codec = Codec.record(UserKey.class, Map.of("tenant", unordered));

    assertThat(codec.ordered()).isFalse();
    assertThatThrownBy(() -> Range.between(codec, List.of("a"), List.of()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("does not keep an order");
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
    Codec<UserKey> codec = Codec.record(UserKey.class, Map.of("id", liar));

    assertThatThrownBy(() -> codec.encode(new UserKey("a", 1)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("codec LIAR says that its values have 8 bytes");
  }

  private static boolean found(Path key, Range<Path> range) {
    return range.encode(PATH).contains(PATH.encode(key));
  }
}

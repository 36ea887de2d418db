package io.kvstadium.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.UUID;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class FixedCodecsTest {
  private static final Comparator<UUID> UUID_ORDER = Comparator.comparing(FixedCodecsTest::number);

  @Property
  void booleansKeepTheirOrder(@ForAll boolean a, @ForAll boolean b) {
    obeysTheLaws(Codec.BOOLEAN, a, b, Comparator.naturalOrder());
  }

  @Property
  void intsKeepTheirOrder(@ForAll int a, @ForAll int b) {
    obeysTheLaws(Codec.INT, a, b, Comparator.naturalOrder());
  }

  @Property
  void longsKeepTheirOrder(@ForAll long a, @ForAll long b) {
    obeysTheLaws(Codec.LONG, a, b, Comparator.naturalOrder());
  }

  @Property
  void instantsKeepTheirOrder(
      @ForAll @LongRange(min = -3, max = 3) long a,
      @ForAll @LongRange(min = -3, max = 3) long b,
      @ForAll @IntRange(max = 999_999_999) int nanosOfA,
      @ForAll @IntRange(max = 999_999_999) int nanosOfB) {
    obeysTheLaws(
        Codec.INSTANT,
        Instant.ofEpochSecond(a, nanosOfA),
        Instant.ofEpochSecond(b, nanosOfB),
        Comparator.naturalOrder());
    obeysTheLaws(Codec.INSTANT, Instant.MIN, Instant.MAX, Comparator.naturalOrder());
  }

  @Property
  void doublesKeepTheirOrder(@ForAll long a, @ForAll long b) {
    obeysTheLaws(
        Codec.DOUBLE,
        Double.longBitsToDouble(a),
        Double.longBitsToDouble(b),
        Comparator.naturalOrder());
  }

  @Property
  void uuidsKeepTheOrderOfTheirText(
      @ForAll long a1, @ForAll long a2, @ForAll long b1, @ForAll long b2) {
    obeysTheLaws(Codec.UUID, new UUID(a1, a2), new UUID(b1, b2), UUID_ORDER);
    obeysTheLaws(Codec.UUID, new UUID(a1, a2), new UUID(a1, b2), UUID_ORDER);
  }

  @Example
  void theEdgesOfDoublesAreInOrder() {
    double[] ascending = {
      Double.NEGATIVE_INFINITY,
      -Double.MAX_VALUE,
      -1,
      -Double.MIN_VALUE,
      -0.0,
      0.0,
      Double.MIN_VALUE,
      1,
      Double.MAX_VALUE,
      Double.POSITIVE_INFINITY,
      Double.NaN
    };
    for (double a : ascending) {
      for (double b : ascending) {
        obeysTheLaws(Codec.DOUBLE, a, b, Comparator.naturalOrder());
      }
    }
  }

  @Example
  void theFormsAreFixed() {
    assertThat(hex(Codec.BOOLEAN.encode(true))).isEqualTo("01");
    assertThat(hex(Codec.INT.encode(1))).isEqualTo("80000001");
    assertThat(hex(Codec.INT.encode(-1))).isEqualTo("7fffffff");
    assertThat(hex(Codec.LONG.encode(0L))).isEqualTo("8000000000000000");
    assertThat(hex(Codec.INSTANT.encode(Instant.ofEpochSecond(-1, 5))))
        .isEqualTo("7fffffffffffffff00000005");
    assertThat(hex(Codec.DOUBLE.encode(1.0))).isEqualTo("bff0000000000000");
    UUID uuid = UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
    assertThat(hex(Codec.UUID.encode(uuid))).isEqualTo("f81d4fae7dec11d0a76500a0c91e6bf6");
  }

  @Example
  void aWrongLengthSaysWhatWasExpectedAndFound() {
    for (Codec<?> codec :
        new Codec<?>[] {
          Codec.BOOLEAN, Codec.INT, Codec.LONG, Codec.DOUBLE, Codec.UUID, Codec.INSTANT
        }) {
      assertThatThrownBy(() -> codec.decode(new byte[] {1, 2, 3}))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining(codec + " takes " + codec.length() + " byte")
          .hasMessageContaining("found 0x010203 (3 bytes)");
    }
  }

  @Example
  void aByteThatIsNoBooleanIsRefused() {
    assertThatThrownBy(() -> Codec.BOOLEAN.decode(new byte[] {2}))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("BOOLEAN takes 00 or 01, found 0x02 (1 byte)");
  }

  private static <T> void obeysTheLaws(Codec<T> codec, T a, T b, Comparator<T> order) {
    byte[] encodedA = codec.encode(a);
    byte[] encodedB = codec.encode(b);

    assertThat(encodedA).hasSize(codec.length());
    assertThat(codec.decode(encodedA)).isEqualTo(a);
    assertThat(codec.ordered()).isTrue();
    assertThat(Integer.signum(Arrays.compareUnsigned(encodedA, encodedB)))
        .isEqualTo(Integer.signum(order.compare(a, b)));
  }

  private static BigInteger number(UUID uuid) {
    return new BigInteger(uuid.toString().replace("-", ""), 16);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}

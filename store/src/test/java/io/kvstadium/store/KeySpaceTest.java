package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class KeySpaceTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Property
  void whatIsBetweenIsBetween(
      @ForAll @Size(max = 12) byte[] a,
      @ForAll @Size(max = 12) byte[] b,
      @ForAll @DoubleRange(min = -120, max = 4) double log2) {
    boolean ascending = Arrays.compareUnsigned(a, b) < 0;
    byte[] low = ascending ? a : b;
    byte[] high = ascending ? b : a;

    byte[] key = KeySpace.between(low, high, log2);

    if (key != null) {
      assertThat(Arrays.compareUnsigned(low, key)).isNegative();
      assertThat(Arrays.compareUnsigned(key, high)).isNegative();
      assertThat(key).hasSizeLessThanOrEqualTo(Math.max(low.length, high.length));
    }
  }

  @Property
  void halfOfTheWayIsHalfOfTheWay(
      @ForAll @Size(max = 4) byte[] common, @ForAll @Size(8) byte[] a, @ForAll @Size(8) byte[] b) {
    byte[] first = Arrays.copyOf(common, common.length + a.length);
    System.arraycopy(a, 0, first, common.length, a.length);
    byte[] second = Arrays.copyOf(common, common.length + b.length);
    System.arraycopy(b, 0, second, common.length, b.length);
    boolean ascending = Arrays.compareUnsigned(first, second) < 0;
    byte[] low = ascending ? first : second;
    byte[] high = ascending ? second : first;
    double distance = KeySpace.log2Distance(low, high);

    byte[] key = KeySpace.between(low, high, distance - 1);

    if (key != null) { // null if they are next to each other
      assertThat(KeySpace.log2Distance(low, key)).isCloseTo(distance - 1, within(0.01));
    } else {
      assertThat(distance).isLessThan(-8 * (common.length + 6));
    }
  }

  @Test
  void distancesAreOfTheSameMeasureWhateverIsInCommon() {
    double one = KeySpace.log2Distance(bytes("user:000a"), bytes("user:000b"));

    assertThat(one).isCloseTo(-8 * 9, within(0.01));
    assertThat(KeySpace.between(bytes("user:000a"), bytes("user:900z"), one + 3))
        .isEqualTo(bytes("user:000i"));
  }

  @Test
  void whatLiesNextToEachOtherHasNothingBetween() {
    assertThat(KeySpace.log2Distance(bytes("a"), bytes("a\0"))).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(KeySpace.between(bytes("a"), bytes("a\0"), -3)).isNull();
    assertThat(KeySpace.between(bytes("a"), bytes("a"), -3)).isNull();
    assertThat(KeySpace.between(bytes("a"), bytes("b"), 0)).isNull();
    assertThat(KeySpace.between(bytes("a"), bytes("b"), Double.NEGATIVE_INFINITY)).isNull();
    assertThat(KeySpace.between(bytes("a"), bytes("b"), Double.NaN)).isNull();
  }
}

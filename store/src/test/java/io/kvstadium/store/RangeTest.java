package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

class RangeTest {
  private static final byte[] A = {'a'};
  private static final byte[] B = {'b'};

  /** Few bytes and lengths, so that prefixes and neighbours meet often. */
  @Provide
  static Arbitrary<byte[]> keys() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7f, (byte) 0x80, (byte) 0xfe, (byte) 0xff)
        .array(byte[].class)
        .ofMaxSize(3);
  }

  @Provide
  static Arbitrary<Range<byte[]>> ranges() {
    Arbitrary<byte[]> bounds = keys().injectNull(0.2);
    Arbitrary<Boolean> flags = Arbitraries.of(true, false);
    return Combinators.combine(bounds, flags, bounds, flags)
        .as((from, fromInclusive, to, toInclusive) -> range(from, fromInclusive, to, toInclusive));
  }

  private static Range<byte[]> range(
      byte @Nullable [] from, boolean fromInclusive, byte @Nullable [] to, boolean toInclusive) {
    Range<byte[]> begun =
        from == null ? Range.all() : Range.<byte[]>all().from(from, fromInclusive);
    return to == null ? begun : begun.to(to, toInclusive);
  }

  @Example
  void aNullBoundIsNotTakenForNone() {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> Range.prefix(null), () -> Range.between(null, B), () -> Range.between(A, null))) {
      assertThatThrownBy(call)
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("bound is null");
    }
  }

  @Property
  void aPrefixRangeHoldsExactlyTheKeysThatStartWithIt(
      @ForAll("keys") byte[] prefix, @ForAll("keys") byte[] key) {
    boolean starts =
        key.length >= prefix.length
            && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);

    assertThat(Range.prefix(prefix).contains(key)).isEqualTo(starts);
  }

  @Property
  void aPrefixRangeLeavesItsPrefixAlone(@ForAll("keys") byte[] prefix) {
    byte[] before = prefix.clone();

    Range<byte[]> range = Range.prefix(prefix);

    assertThat(prefix).isEqualTo(before);
    assertThat(range.contains(prefix)).isTrue();
    assertThat(range.isEmpty()).isFalse();
  }

  @Property
  void aRangeHoldsWhatBothBoundsAllow(
      @ForAll("ranges") Range<byte[]> range, @ForAll("keys") byte[] key) {
    byte[] from = range.from();
    byte[] to = range.to();
    boolean above =
        from == null
            || Arrays.compareUnsigned(key, from) > 0
            || (range.fromInclusive() && Arrays.equals(key, from));
    boolean below =
        to == null
            || Arrays.compareUnsigned(key, to) < 0
            || (range.toInclusive() && Arrays.equals(key, to));

    assertThat(range.aboveFrom(key)).isEqualTo(above);
    assertThat(range.belowTo(key)).isEqualTo(below);
    assertThat(range.contains(key)).isEqualTo(above && below);
  }

  @Property
  void aRangeIsEmptyIfItDoesNotHoldItsLeastKey(@ForAll("ranges") Range<byte[]> range) {
    byte[] from = range.from();
    byte[] least =
        from == null
            ? new byte[0]
            : range.fromInclusive() ? from : Arrays.copyOf(from, from.length + 1);

    assertThat(range.isEmpty()).isEqualTo(!range.contains(least));
  }

  @Property
  void anEmptyRangeHoldsNothing(@ForAll("ranges") Range<byte[]> range, @ForAll("keys") byte[] key) {
    if (range.isEmpty()) {
      assertThat(range.contains(key)).isFalse();
    }
  }

  @Example
  void eachMethodChangesOneThingInACopy() {
    Range<byte[]> range =
        Range.<byte[]>all().from(A, false).to(B, true).reverse().limit(3).keysOnly();

    assertThat(range.from()).isSameAs(A);
    assertThat(range.fromInclusive()).isFalse();
    assertThat(range.to()).isSameAs(B);
    assertThat(range.toInclusive()).isTrue();
    assertThat(range.reversed()).isTrue();
    assertThat(range.limit()).isEqualTo(3);
    assertThat(range.withoutValues()).isTrue();
    assertThat(range.reverse().reversed()).isFalse();
    assertThat(Range.<byte[]>all().reversed()).isFalse();
  }

  @Example
  void betweenIsHalfOpen() {
    assertThat(Range.between(A, B).contains(A)).isTrue();
    assertThat(Range.between(A, B).contains(B)).isFalse();
  }

  @Example
  void noEntriesAreAllowedButNotFewer() {
    assertThat(Range.<byte[]>all().limit(0).isEmpty()).isTrue();
    assertThatThrownBy(() -> Range.<byte[]>all().limit(-1))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage("limit -1 is negative: use 0 or more");
  }
}

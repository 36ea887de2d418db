package io.kvstadium.engine.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Range;
import io.kvstadium.store.codec.Codec;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

final class LongKeysTest {
  @Property
  void keysAreThoseOfTheCodec(@ForAll long number) {
    assertThat(LongKeys.encode(number)).isEqualTo(Codec.LONG.encode(number));
    assertThat(LongKeys.decode(LongKeys.encode(number))).isEqualTo(number);
  }

  /** Bounds that are near the number, of any length, so that they matter. */
  @Property
  void adaptedRangeHasTheSameNumbers(
      @ForAll long number,
      @ForAll @Size(max = 10) byte[] any,
      @ForAll boolean near,
      @ForAll boolean inclusive) {
    byte[] key = LongKeys.encode(number);
    byte[] bound = any.clone();
    if (near) {
      System.arraycopy(key, 0, bound, 0, Math.min(key.length, bound.length));
    }
    for (Range<byte[]> range :
        List.of(
            Range.<byte[]>all().from(bound, inclusive), Range.<byte[]>all().to(bound, inclusive))) {
      Range<byte[]> adapted = LongKeys.adapted(range);

      assertThat(adapted.contains(key)).isEqualTo(range.contains(key));
      assertThat(adapted.from() == null || LongKeys.isNumber(adapted.from())).isTrue();
      assertThat(adapted.to() == null || LongKeys.isNumber(adapted.to())).isTrue();
    }
  }
}

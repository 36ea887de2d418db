package io.kvstadium.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.internal.Hex;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class CodecTest {
  @Property
  void textsKeepTheOrderOfTheirCodePoints(@ForAll("texts") String a, @ForAll("texts") String b) {
    byte[] encodedA = Codec.STRING.encode(a);

    assertThat(Codec.STRING.decode(encodedA)).isEqualTo(a);
    assertThat(Integer.signum(Arrays.compareUnsigned(encodedA, Codec.STRING.encode(b))))
        .isEqualTo(
            Integer.signum(Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray())));
  }

  @Provide
  Arbitrary<String> texts() {
    Arbitrary<Integer> points =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 0x7f),
            Arbitraries.integers().between(0xd000, 0xd7ff),
            Arbitraries.integers().between(0xe000, 0xffff),
            Arbitraries.integers().between(0x10000, Character.MAX_CODE_POINT));
    return points.array(int[].class).ofMaxSize(6).map(array -> new String(array, 0, array.length));
  }

  @Property
  void whateverBytesThereAreTheyAreEitherReadWhollyOrRefused(@ForAll byte[] bytes) {
    String text;
    try {
      text = Codec.STRING.decode(bytes);
    } catch (CorruptException e) {
      assertThat(new String(bytes, StandardCharsets.UTF_8)).contains("\uFFFD");
      return;
    }
    assertThat(Codec.STRING.encode(text)).isEqualTo(bytes);
  }

  @Example
  void halfASurrogatePairIsRefused() {
    for (String half : new String[] {"a\ud83d", "\ud83da", "\ude00", "\ude00\ud83d"}) {
      assertThatThrownBy(() -> Codec.STRING.encode(half))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("half a surrogate pair at index " + (half.startsWith("a") ? 1 : 0));
    }
    assertThat(Codec.STRING.decode(Codec.STRING.encode("\ud83d\ude00"))).isEqualTo("\ud83d\ude00");
  }

  @Example
  void malformedTextIsRefusedButTheReplacementCharacterIsText() {
    assertThatThrownBy(() -> Codec.STRING.decode(new byte[] {'a', (byte) 0xff}))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("STRING takes UTF-8, found 0x61ff (2 bytes)");
    assertThat(Codec.STRING.decode("a\uFFFD".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("a\uFFFD");
  }

  @Example
  void bytesAreNotCopied() {
    byte[] bytes = {1, 0, -1};

    assertThat(Codec.BYTES.encode(bytes)).isSameAs(bytes);
    assertThat(Codec.BYTES.decode(bytes)).isSameAs(bytes);
    assertThat(Codec.BYTES.ordered()).isTrue();
    assertThat(Codec.BYTES.length()).isEqualTo(-1);
  }

  @Property
  void aMappedCodecKeepsOrderAndLengthOfItsBase(@ForAll long millis) {
    Codec<Instant> codec = Codec.map(Codec.LONG, Instant::ofEpochMilli, Instant::toEpochMilli);
    Instant instant = Instant.ofEpochMilli(millis);

    assertThat(codec.decode(codec.encode(instant))).isEqualTo(instant);
    assertThat(codec.ordered()).isTrue();
    assertThat(codec.length()).isEqualTo(Long.BYTES);
    assertThat(codec).hasToString("map(LONG)");
  }

  @Example
  void whatAMappingRefusesIsCorrupt() {
    Codec<DayOfWeek> codec = Codec.map(Codec.STRING, DayOfWeek::valueOf, DayOfWeek::name);

    assertThat(codec.decode(codec.encode(DayOfWeek.MONDAY))).isEqualTo(DayOfWeek.MONDAY);
    assertThatThrownBy(() -> codec.decode(Codec.STRING.encode("MOONDAY")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("mapped over STRING refused 0x4d4f4f4e444159 (7 bytes)")
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Example
  void aCodecOfOnesOwnIsNeitherOrderedNorOfOneLengthUnlessItSaysSo() {
    Codec<String> own =
        new Codec<>() {
          @Override
          public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_16LE);
          }

          @Override
          public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_16LE);
          }
        };

    assertThat(own.ordered()).isFalse();
    assertThat(own.length()).isEqualTo(-1);
  }

  @Property
  void aChecksumFindsEachBitThatChangedAndEachMissingEnd(
      @ForAll byte[] value, @ForAll @IntRange(max = 10_000) int at) {
    Codec<byte[]> checked = Codec.checked(Codec.BYTES);
    byte[] whole = checked.encode(value);
    byte[] damaged = whole.clone();
    damaged[at / 8 % damaged.length] ^= (byte) (1 << at % 8);

    assertThat(checked.decode(whole)).isEqualTo(value);
    assertThatThrownBy(() -> checked.decode(damaged)).isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> checked.decode(Arrays.copyOf(whole, at % 4)))
        .isInstanceOf(CorruptException.class);
  }

  @Example
  void bytesInMessagesAreCutWhereTheyAreLong() {
    assertThat(Stream.of(0, 1, 32, 33).map(length -> Hex.of(new byte[length])))
        .containsExactly(
            "0x (0 bytes)",
            "0x00 (1 byte)",
            "0x" + "00".repeat(32) + " (32 bytes)",
            "0x" + "00".repeat(32) + "… (33 bytes)");
  }
}

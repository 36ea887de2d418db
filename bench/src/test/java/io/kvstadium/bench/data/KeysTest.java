package io.kvstadium.bench.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.KeySpec.Form;
import io.kvstadium.bench.data.draw.Laws;
import io.kvstadium.store.BadArgumentException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
  private static final int COUNT = 100_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uint32",
        "uint64",
        "digits:8",
        "digits:5",
        "digits:25",
        "random-string:20",
        "random-string:3",
        "random-string:10",
        "random-string:11",
        "random-bytes:16",
        "random-bytes:3",
        "random-bytes:8",
        "random-bytes:21",
        "random-bytes:16..20",
        "random-bytes:3..9",
        "random-bytes:7..8",
        "random-string:3..30",
        "random-string:12..13"
      })
  void keysAreDistinct(String form) {
    // given
    var keys = new Keys(KeySpec.parse(form), COUNT, COUNT, 7);
    Set<String> seen = new HashSet<>();

    // when
    for (int i = 0; i < COUNT; i++) {
      byte[] key = keys.key(i);
      KeySpec spec = keys.spec();
      if (key.length >= spec.minLength() && key.length <= spec.maxLength()) {
        seen.add(hex(key));
      }
    }

    // then
    assertThat(seen).hasSize(COUNT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"random-bytes:16..20", "random-string:8..14", "random-bytes:3..5"})
  void lengthsOfARangeAreEquallyFrequent(String form) {
    // given
    var keys = new Keys(KeySpec.parse(form), COUNT, COUNT, 7);
    int min = keys.spec().minLength();
    long[] counts = new long[keys.spec().maxLength() - min + 1];

    // when
    for (int i = 0; i < COUNT; i++) {
      counts[keys.key(i).length - min]++;
    }

    // then
    assertThat(Laws.pValue(counts, _ -> (double) COUNT / counts.length))
        .isGreaterThan(Laws.UNLIKELY);
    assertThat(keys.spec()).hasToString(form);
    assertThat(keys.spec().meanLength()).isEqualTo(min + (counts.length - 1) / 2.0);
  }

  @ParameterizedTest
  @CsvSource({
    // Recorded before keys of several lengths were added: those of one length must stay the same.
    "random-string:20, 345a6543624b4b61765330465661304171697173",
    "random-bytes:16, 5cd1eac43ed5300e843d9b45c096831d",
    "random-bytes:3, b35d64"
  })
  void randomFormsStayWhatTheyWere(String form, String expected) {
    assertThat(hex(new Keys(KeySpec.parse(form), 1_000_000, 1_000_000, 7).key(123_456)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"digits:4..8", "uint64:8..9", "random-bytes:9..3", "random-bytes:0..3"})
  void rangesThatCannotBeAreRefused(String form) {
    assertThatThrownBy(() -> KeySpec.parse(form)).isInstanceOf(BadArgumentException.class);
  }

  @Test
  void aFullDomainHasAllItsKeys() {
    // given
    var keys = new Keys(new KeySpec(Form.RANDOM_STRING, 2), 62 * 62, 62 * 62, 1);
    Set<String> seen = new HashSet<>();

    // when
    for (int i = 0; i < 62 * 62; i++) {
      seen.add(hex(keys.key(i)));
    }

    // then
    assertThat(seen).hasSize(62 * 62);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uint32", "uint64", "digits:8"})
  void byteOrderOfNumericKeysIsTheOrderOfTheirIndexes(String form) {
    var keys = new Keys(KeySpec.parse(form), COUNT, COUNT, 7);
    assertThat(IntStream.range(1, COUNT))
        .allMatch(i -> Arrays.compareUnsigned(keys.key(i - 1), keys.key(i)) < 0);
  }

  @ParameterizedTest
  @CsvSource({
    // Recorded once: the same bytes are expected on every machine and in every version.
    "uint32, 0001e240",
    "uint64, 000000000001e240",
    "digits:8, 3030313233343536",
    "digits:9, 303030313233343536"
  })
  void numericFormsAreTheNumber(String form, String expected) {
    assertThat(hex(new Keys(KeySpec.parse(form), 1_000_000, 1_000_000, 7).key(123_456)))
        .isEqualTo(expected);
  }

  @Test
  void randomKeysDependOnTheSeedAlone() {
    // given
    KeySpec spec = KeySpec.of(Form.RANDOM_STRING);

    // when, then
    assertThat(new Keys(spec, 10, 10, 7).key(3)).isEqualTo(new Keys(spec, 1000, 1000, 7).key(3));
    assertThat(new Keys(spec, 10, 10, 7).key(3)).isNotEqualTo(new Keys(spec, 10, 10, 8).key(3));
  }

  @Test
  void everyCharacterOfEveryPositionIsEquallyLikely() {
    // given
    var keys = new Keys(KeySpec.of(Form.RANDOM_STRING), COUNT, COUNT, 11);
    long[][] counts = new long[20][128];

    // when
    for (int i = 0; i < COUNT; i++) {
      byte[] key = keys.key(i);
      for (int p = 0; p < 20; p++) {
        counts[p][key[p]]++;
      }
    }

    // then
    for (long[] position : counts) {
      long[] used = Arrays.stream(position).filter(c -> c > 0).toArray();
      assertThat(used).hasSize(62);
      assertThat(Laws.pValue(used, k -> COUNT / 62.0)).isGreaterThan(Laws.UNLIKELY);
    }
  }

  @Test
  void bytesOfRandomKeysAreUniform() {
    var keys = new Keys(KeySpec.of(Form.RANDOM_BYTES), COUNT, COUNT, 12);
    long[][] counts = new long[16][256];
    for (int i = 0; i < COUNT; i++) {
      byte[] key = keys.key(i);
      for (int p = 0; p < 16; p++) {
        counts[p][key[p] & 0xFF]++;
      }
    }
    for (long[] position : counts) {
      assertThat(Laws.pValue(position, k -> COUNT / 256.0)).isGreaterThan(Laws.UNLIKELY);
    }
  }

  @Test
  void tooManyKeysForTheirLengthAreRefused() {
    assertThatThrownBy(() -> new Keys(KeySpec.parse("digits:3"), 1001, 1001, 1))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("digits:3")
        .hasMessageContaining("1 to 1000");
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void specsReadWhatTheyWrite(Form form) {
    KeySpec spec = KeySpec.of(form);
    assertThat(KeySpec.parse(spec.toString())).isEqualTo(spec);
  }

  @Test
  void misspeltFormsGetAHint() {
    assertThatThrownBy(() -> KeySpec.parse("uint46")).hasMessageContaining("did you mean 'uint");
    assertThatThrownBy(() -> KeySpec.parse("digits:x")).hasMessageContaining("digits:8");
    assertThatThrownBy(() -> KeySpec.parse("uint64:9")).hasMessageContaining("leave the length");
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void digitsAreReadable() {
    byte[] key = new Keys(KeySpec.parse("digits:8"), 10, 10, 1).key(1);
    assertThat(new String(key, StandardCharsets.US_ASCII)).isEqualTo("00000001");
  }
}

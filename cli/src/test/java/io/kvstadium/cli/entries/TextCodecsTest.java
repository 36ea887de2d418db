package io.kvstadium.cli.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.codec.Codec;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys and values as text. */
class TextCodecsTest {
  private record Visit(String tenant, long day, String page) {}

  private static final Codec<Visit> VISIT = Codec.record(Visit.class);

  private static byte[] visit(String tenant, long day, String page) {
    return VISIT.encode(new Visit(tenant, day, page));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          auto    | ann                                  | 616e6e
          auto    | 0x00ff                               | 00ff
          string  | 0x00                                 | 30783030
          hex     | 00ff                                 | 00ff
          base64  | AP8=                                 | 00ff
          json    | [1,2.50]                             | 5b312c322e35305d
          boolean | true                                 | 01
          int     | -2                                   | 7ffffffe
          long    | 5                                    | 8000000000000005
          double  | 0.5                                  | bfe0000000000000
          uuid    | 123e4567-e89b-12d3-a456-426614174000 | 123e4567e89b12d3a456426614174000
          """)
  void eachHasItsBytes(String codec, String text, String hex) {
    TextCodec tested = TextCodecs.of(codec);

    assertThat(TextCodecs.of("hex").decode(tested.encode(text))).isEqualTo(hex);
    assertThat(tested.decode(tested.encode(text))).isEqualTo(text);
  }

  @Test
  void numbersAreNumbersInJson() {
    assertThat(TextCodecs.of("long").json(Codec.LONG.encode(-5L))).isEqualTo(-5L);
    assertThat(TextCodecs.AUTO.json(new byte[] {0, 1})).isEqualTo(Map.of("hex", "0001"));
    assertThat(TextCodecs.of("string,long,string").json(visit("a", 2, "b")))
        .isEqualTo(List.of("a", 2L, "b"));
  }

  @Property
  void autoShowsAnyBytesAndReadsThemAgain(@ForAll byte[] bytes) {
    assertThat(TextCodecs.AUTO.encode(TextCodecs.AUTO.decode(bytes))).isEqualTo(bytes);
  }

  @Property
  void severalComponentsAreThoseOfTheLibrary(
      @ForAll("texts") String tenant, @ForAll long day, @ForAll("texts") String page) {
    TextCodec tested = TextCodecs.of("string,long,string");
    byte[] bytes = visit(tenant, day, page);

    assertThat(tested.encode(tested.decode(bytes))).isEqualTo(bytes);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("ab,\\\0 é");
  }

  @Test
  void theBeginningOfSeveralComponentsIsThatOfTheirBytes() {
    TextCodec tested = TextCodecs.of("string,long,string");
    Range<byte[]> begun = Range.prefix(tested.prefix("ac"));
    Range<byte[]> tenant = Range.prefix(tested.prefix("acme,"));
    Range<byte[]> day = Range.prefix(tested.prefix("acme,7"));
    Range<byte[]> page = Range.prefix(tested.prefix("acme,7,ho"));

    assertThat(begun.contains(visit("acme", 7, "home"))).isTrue();
    assertThat(begun.contains(visit("ad", 7, "home"))).isFalse();
    assertThat(tenant.contains(visit("acme", -7, ""))).isTrue();
    assertThat(tenant.contains(visit("acme2", 7, "home"))).isFalse();
    assertThat(day.contains(visit("acme", 7, "home"))).isTrue();
    assertThat(day.contains(visit("acme", 70, "home"))).isFalse();
    assertThat(page.contains(visit("acme", 7, "home"))).isTrue();
    assertThat(page.contains(visit("acme", 7, "hi"))).isFalse();
    assertThat(Range.prefix(tested.prefix("")).contains(visit("z", 0, ""))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          long        | five   | 'five' does not match the codec long: write -5
          int         | 3e9    | does not match the codec int
          hex         | 0f0    | does not match the codec hex
          auto        | 0xzz   | is not valid hex
          json        | {a     | not valid JSON
          json        | 1 2    | not valid JSON
          boolean     | yes    | write true or false
          string,long | acme   | has 1 component but the codec string,long has 2
          string,long | a,b    | 'b' does not match the codec long
          """)
  void whatDoesNotFitIsRefused(String codec, String text, String message) {
    assertThatThrownBy(() -> TextCodecs.of(codec).encode(text))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          lnog        | unknown codec 'lnog' (did you mean 'long'?)
          long,json   | 'json' in 'long,json' cannot be one of several
          long,       | unknown codec ''
          """)
  void unknownOnesAreRefused(String codec, String message) {
    assertThatThrownBy(() -> TextCodecs.of(codec))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void bytesOfAnotherFormAreDamage() {
    assertThatThrownBy(() -> TextCodecs.of("long").decode(new byte[3]))
        .isInstanceOf(CorruptException.class);
    assertThatThrownBy(() -> TextCodecs.of("json").decode(new byte[0]))
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void numbersOfOneLengthHaveNoBeginning() {
    assertThatThrownBy(() -> TextCodecs.of("long").prefix("5"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("give --from and --to");
  }

  @Test
  void whatIsPipedInIsStoredAsItIsButNumbersAreRead() {
    byte[] bytes = "0x00 \n".getBytes(UTF_8);

    assertThat(TextCodecs.AUTO.encodePiped(bytes)).isEqualTo(bytes);
    assertThat(TextCodecs.of("string").encodePiped(bytes)).isEqualTo(bytes);
    assertThat(TextCodecs.of("long").encodePiped("5\n".getBytes(UTF_8)))
        .isEqualTo(Codec.LONG.encode(5L));
    assertThatThrownBy(() -> TextCodecs.of("string").encodePiped(new byte[] {(byte) 0xff}))
        .isInstanceOf(BadArgumentException.class);
  }
}

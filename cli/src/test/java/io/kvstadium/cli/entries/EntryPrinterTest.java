package io.kvstadium.cli.entries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.cli.io.Output;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.codec.Codec;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

/** Entries as text. */
class EntryPrinterTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Output out = new Output(bytes);

  private EntryPrinter printer(View view, EntryCodecs codecs, int width) {
    return new EntryPrinter(out, view, "users", codecs, false, width);
  }

  private String printed() {
    out.flush();
    return bytes.toString(UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void aTableHasAColumnForKeysAndNoLineThatIsTooLong() {
    EntryPrinter printer = printer(View.TABLE, EntryCodecs.AUTO, 20);

    printer.entry(utf8("user:1"), utf8("ann"));
    printer.entry(new byte[] {0}, utf8("a value that goes on"));
    printer.entry(utf8("b"), utf8("two\nlines"));
    printer.end(false);

    assertThat(printed())
        .isEqualTo(
            """
            key     value
            user:1  ann
            0x00    a value tha…
            b       "two\\nlines"
            (3 entries)
            """);
  }

  @Test
  void aTableOfManyEntriesIsPrintedBeforeItsEnd() {
    EntryPrinter printer = printer(View.TABLE, EntryCodecs.AUTO, 80);

    for (int i = 10; i < 99; i++) {
      printer.entry(utf8("k" + i), utf8("v"));
    }

    assertThat(printed()).startsWith("key  value\nk10  v\n").endsWith("k98  v\n");
    printer.end(true);
    assertThat(printed()).endsWith("(89 entries, interrupted)\n");
  }

  @Test
  void jsonHasALineForEachEntry() {
    EntryCodecs codecs = new EntryCodecs(TextCodecs.of("long"), TextCodecs.of("json"));
    EntryPrinter printer = printer(View.JSON, codecs, 80);

    printer.entry(Codec.LONG.encode(5L), utf8("{ \"a\": [1] }"));
    printer.end(false);

    assertThat(printed()).isEqualTo("{\"key\":5,\"value\":{\"a\":[1]}}\n");
  }

  @Test
  void jsonHasHexWhereThereIsNoText() {
    printer(View.JSON, EntryCodecs.AUTO, 80).entry(new byte[] {-1}, utf8("0x"));

    assertThat(printed()).isEqualTo("{\"key\":{\"hex\":\"ff\"},\"value\":{\"hex\":\"3078\"}}\n");
  }

  @Test
  void rawHasTheBytesThemselves() {
    EntryPrinter printer = printer(View.RAW, EntryCodecs.AUTO, 80);

    printer.entry(new byte[] {0, -1}, new byte[] {'\n'});
    printer.end(false);
    printer.value(new byte[0], new byte[] {-2}, false);
    out.flush();

    assertThat(bytes.toByteArray()).containsExactly(0, -1, '\t', '\n', '\n', -2);
  }

  @Test
  void aValueOfACodecIsALine() {
    EntryCodecs codecs = new EntryCodecs(TextCodecs.AUTO, TextCodecs.of("long"));

    printer(View.RAW, codecs, 80).value(new byte[0], Codec.LONG.encode(-7L), false);

    assertThat(printed()).isEqualTo("-7\n");
  }

  @Test
  void aTerminalGetsNoControlCharacters() {
    EntryCodecs codecs = new EntryCodecs(TextCodecs.AUTO, TextCodecs.of("string"));

    printer(View.TABLE, codecs, 80).value(utf8("k"), utf8("\u001b[2J"), true);

    assertThat(printed()).isEqualTo("\"\\u001b[2J\"\n");
  }

  @Test
  void whatIsNotOfTheCodecIsReportedWithItsKey() {
    EntryCodecs codecs = new EntryCodecs(TextCodecs.AUTO, TextCodecs.of("long"));

    assertThatThrownBy(() -> printer(View.TABLE, codecs, 80).entry(utf8("user:1"), utf8("ann")))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("table users: the value of user:1 does not match the codec: LONG")
        .hasMessageEndingWith("--values auto shows it as it is");
  }
}

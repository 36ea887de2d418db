package io.kvstadium.transfer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.Sources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that people and their other programs have made. */
class OwnFilesTest {
  private final Store store = Stadium.open("memory:");

  @AfterEach
  void close() {
    store.close();
  }

  private Imported read(byte[] file, Format format, SourceOptions options) {
    return Import.run(
        Sources.of(new ByteArrayInputStream(file), options.format(format)),
        store,
        ImportOptions.DEFAULT);
  }

  private static SourceOptions keyed(String key, @Nullable String value) {
    return SourceOptions.DEFAULT.columns(new Columns(key, value, null, Columns.DEFAULT.maxBytes()));
  }

  private String value(String key) {
    byte[] value = store.table().get(key.getBytes(UTF_8));
    return value == null ? "nothing" : new String(value, UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "key,value\na,1\nä,\"2,\r\n;\"\n",
        "\ufeffkey,value\r\na,1\r\nä,\"2,\r\n;\"",
        "sep=;\nvalue;key\n1;a\n\"2,\r\n;\";ä\n",
        "\"sep=|\"\nkey|value\na|1\nä|\"2,\r\n;\"\n",
        "key;value\na;1\nä;\"2,\r\n;\"\n",
        "\n\nkey\tvalue\na\t1\n\nä\t\"2,\r\n;\"\n"
      })
  void aTableIsReadWhateverWroteIt(String table) throws IOException {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
      out.write(table.getBytes(UTF_8));
    }
    for (byte[] file :
        new byte[][] {
          table.getBytes(UTF_8),
          gzip.toByteArray(),
          Zstd.compress(table.getBytes(UTF_8)),
          marked(table, UTF_16LE),
          marked(table, UTF_16BE)
        }) {
      store.table().clear();

      Imported imported = read(file, Format.CSV, SourceOptions.DEFAULT);

      assertThat(imported.verification()).isEqualTo(Imported.Verification.IDENTICAL);
      assertThat(store.table().count()).isEqualTo(2);
      assertThat(value("a")).isEqualTo("1");
      assertThat(value("ä")).isEqualTo("2,\r\n;");
    }
  }

  private static byte[] marked(String text, Charset charset) {
    return ("\ufeff" + text.replace("\ufeff", "")).getBytes(charset);
  }

  @Test
  void aColumnIsTheKeyAndTheRecordOrAnotherColumnTheValue() {
    String orders = "id;total €;note\n7;\"1,5\";\n8;2;\"a \"\"b\"\"\"\n7;3;\n";

    Imported imported = read(orders.getBytes(UTF_8), Format.CSV, keyed("id", null));

    assertThat(value("8")).isEqualTo("8;2;\"a \"\"b\"\"\"");
    assertThat(value("7")).isEqualTo("7;3;");
    assertThat(imported.repeated()).isEqualTo(1);
    store.table().clear();
    read(orders.getBytes(UTF_8), Format.CSV, keyed("id", "note"));
    assertThat(value("8")).isEqualTo("a \"b\"");
    store.table().clear();
    String lines =
        "{\"user\":{\"id\":5},\"name\":\"ann\"}\n\n {\"name\":\"bob\",\"user\":{\"id\":6}}\n";
    read(lines.getBytes(UTF_8), Format.JSON_LINES, keyed("user.id", null));
    assertThat(value("6")).isEqualTo(" {\"name\":\"bob\",\"user\":{\"id\":6}}");
    store.table().clear();
    read(lines.getBytes(UTF_8), Format.JSON_LINES, keyed("user.id", "name"));
    assertThat(value("5")).isEqualTo("ann");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          JSON_LINES |    |    | {"key":"a","key":"b","value":"1"}        | Duplicate field 'key'
          JSON_LINES |    |    | {"key":"\\ud800","value":"1"}            | surrogate
          JSON_LINES | id |    | {"id":"\\ud800"}                         | surrogate
          JSON_LINES | id |    | {"id":1,"id":2}                          | twice
          JSON_LINES | id |    | {"id":""}                                | key is empty
          JSON_LINES |    |    | {"id":1}                                 | --key
          JSON_LINES |    |    | [{"key":"a","value":"1"}]                | jq
          JSON_LINES |    |    | {"key":"a","value":"1"} {"key":"b"}      | follows
          CSV        |    |    | key,value,value~a,1,2                    | several columns are called 'value'
          CSV        |    |    | id;total~1;2                             | --key
          CSV        | idd |   | id;total~1;2                             | there is no column 'idd' (did you mean 'id'?)
          CSV        | Id |    | id;ID~1;2                                | several columns are called 'Id'
          CSV        | id | no | id;total~1;2                             | there is no column 'no'
          CSV        | id |    | id,,~,2,3                                | line 2: the key is empty
          CSV        | id |    | id,b~1,"2                                | never closed
          """)
  void whatIsWrongIsSaidWithItsPlaceAndNothingIsWritten(
      Format format, @Nullable String key, @Nullable String value, String text, String message) {
    byte[] file = text.replace('~', '\n').getBytes(UTF_8);
    SourceOptions options = key == null ? SourceOptions.DEFAULT : keyed(key, value);

    assertThatThrownBy(() -> read(file, format, options))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("line ");
    assertThat(store.table().count()).isZero();
  }

  @Test
  void otherEncodingsAndDamageAreSaidWithTheirPlace() {
    assertThatThrownBy(() ->
            read("key,value\ncafé,1\n".getBytes(ISO_8859_1), Format.CSV, SourceOptions.DEFAULT))
        .hasMessageContaining("line 2: byte 4 is not UTF-8");
    byte[] zstd = Zstd.compress(new byte[100_000]);
    assertThatThrownBy(
            () -> read(Arrays.copyOf(zstd, zstd.length - 4), Format.CSV, SourceOptions.DEFAULT))
        .hasMessageContaining("compressed file");
    byte[] odd = Arrays.copyOf(marked("key,value\na,b", UTF_16LE), 27);
    assertThatThrownBy(() -> read(odd, Format.CSV, SourceOptions.DEFAULT))
        .hasMessageContaining("UTF-16");
    assertThatThrownBy(() -> read(new byte[9], Format.RDB, keyed("id", null)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("--key");
  }
}

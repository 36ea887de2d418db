package io.kvstadium.transfer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever is written in a format can be read back, whatever its bytes. */
class FormatsTest {
  @Property(tries = 150)
  void everyFormatKeepsAllBytes(@ForAll("items") List<Item> items, @ForAll Text.Bytes form)
      throws IOException {
    for (Format format : Format.values()) {
      if (format.isWritten()) {
        byte[] written = write(format, items, form);

        assertThat(read(reader(format, written))).as(format.word()).isEqualTo(words(items));
      }
    }
  }

  @Provide
  Arbitrary<List<Item>> items() {
    Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(40);
    Arbitrary<byte[]> text =
        Arbitraries.strings()
            .withChars('"', ',', '\n', '\r', '\\', ' ', '\0', 'ä', '\ud83d', '\ude00')
            .ofMaxLength(20)
            .map(string -> string.getBytes(StandardCharsets.UTF_8));
    Arbitrary<byte[]> bytes = Arbitraries.oneOf(any, text);
    return Combinators.combine(Arbitraries.of("a", "b"), bytes, bytes)
        .as(Item::new)
        .list()
        .ofMaxSize(30)
        .map(items -> items.stream().sorted(java.util.Comparator.comparing(Item::table)).toList());
  }

  @Example
  void whatIsReadStaysOpen() throws IOException {
    List<Item> items = List.of(new Item("a", new byte[] {1}, new byte[] {2}));
    for (Format format : Format.values()) {
      if (format.isWritten()) {
        byte[] written = write(format, items, Text.Bytes.HEX);
        boolean[] closed = new boolean[1];
        InputStream in =
            new ByteArrayInputStream(written) {
              @Override
              public void close() {
                closed[0] = true;
              }
            };

        read(reader(format, in));

        assertThat(closed[0]).as(format.word()).isFalse();
      }
    }
  }

  @Example
  void textsSayWhereTheyAreWrong() {
    assertThatThrownBy(() -> read(reader(Format.JSON_LINES, "{\"key\":\"a\"}\n")))
        .isInstanceOf(BadEntry.class)
        .hasMessage("line 1: \"value\" is missing");
    assertThatThrownBy(() ->
            read(
                reader(
                    Format.JSON_LINES,
                    "{\"key\":\"a\",\"value\":\"\"}\n{\"key\":{\"hex\":\"0\"}}")))
        .hasMessageStartingWith("line 2: '0' is not valid hex");
    assertThatThrownBy(() -> read(reader(Format.CSV, "key,value\r\na\r\n")))
        .hasMessageStartingWith("line 2 has 1 fields where the header has 2");
    assertThatThrownBy(
            () -> read(reader(Format.MDB_DUMP, "VERSION=3\nHEADER=END\n 61\n 6\nDATA=END\n")))
        .hasMessage("line 4: there is half a byte at the end");
    assertThatThrownBy(() -> read(reader(Format.MDB_DUMP, "VERSION=3\nHEADER=END\n 61\n 62\n")))
        .hasMessage("line 4: the dump ends without DATA=END");
  }

  @Example
  void readsBothFormsOfMdbDumpAndWithoutNames() throws IOException {
    String dump =
        """
        VERSION=3
        format=print
        type=btree
        mapsize=10485760
        maxreaders=126
        db_pagesize=4096
        HEADER=END
         k\\00\\\\
         v\\ff
        DATA=END
        VERSION=3
        format=bytevalue
        database=other
        type=btree
        HEADER=END
         00
        \s
        DATA=END
        """;

    assertThat(read(reader(Format.MDB_DUMP, dump)))
        .containsExactly("default 6b005c 76ff", "other 00 ");
  }

  @Example
  void csvAndJsonAreShortForText() throws IOException {
    List<Item> one =
        List.of(new Item("a", "käy".getBytes(StandardCharsets.UTF_8), new byte[] {-1}));

    assertThat(new String(write(Format.JSON_LINES, one, Text.Bytes.AUTO), StandardCharsets.UTF_8))
        .isEqualTo("{\"table\":\"a\",\"key\":\"käy\",\"value\":{\"base64\":\"/w==\"}}\n");
    assertThat(new String(write(Format.CSV, one, Text.Bytes.AUTO), StandardCharsets.UTF_8))
        .isEqualTo("table,key,key_as,value,value_as\r\na,käy,string,/w==,base64\r\n");
  }

  static byte[] write(Format format, List<Item> items, Text.Bytes form) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(writer(format, out, form), items);
    return out.toByteArray();
  }

  static void write(EntryWriter writer, List<Item> items) throws IOException {
    ContentSum sum = ContentSum.NONE;
    String table = "";
    for (Item item : items) {
      if (!item.table().equals(table)) {
        table = item.table();
        writer.table(table);
      }
      writer.entry(item.key(), item.value());
      ContentSum.Adder one = new ContentSum.Adder(table);
      one.add(item.key(), item.value());
      sum = sum.plus(one.sum());
    }
    writer.end(sum);
  }

  private static EntryWriter writer(Format format, OutputStream out, Text.Bytes form)
      throws IOException {
    return switch (format) {
      case DUMP -> new DumpWriter(out, 100);
      case JSON_LINES -> new JsonLinesWriter(out, form);
      case CSV -> new CsvWriter(out, form);
      case MDB_DUMP -> new MdbDumpWriter(out, 0);
      case RDB -> throw new IllegalArgumentException("not written");
    };
  }

  private static EntryReader reader(Format format, String text) throws IOException {
    return reader(format, text.getBytes(StandardCharsets.UTF_8));
  }

  private static EntryReader reader(Format format, byte[] bytes) throws IOException {
    return reader(format, new ByteArrayInputStream(bytes));
  }

  private static EntryReader reader(Format format, InputStream in) throws IOException {
    return switch (format) {
      case DUMP -> new DumpReader(in);
      case JSON_LINES -> new JsonLinesReader("", in, Columns.DEFAULT);
      case CSV -> new CsvReader("", in, Columns.DEFAULT);
      case MDB_DUMP -> new MdbDumpReader(in);
      case RDB -> throw new IllegalArgumentException("not read");
    };
  }

  static List<String> read(EntryReader reader) throws IOException {
    List<Item> items = new ArrayList<>();
    for (Item item = reader.next(); item != null; item = reader.next()) {
      items.add(item);
    }
    return words(items);
  }

  static List<String> words(List<Item> items) {
    HexFormat hex = HexFormat.of();
    return items.stream()
        .map(item ->
            item.table() + " " + hex.formatHex(item.key()) + " " + hex.formatHex(item.value()))
        .toList();
  }
}

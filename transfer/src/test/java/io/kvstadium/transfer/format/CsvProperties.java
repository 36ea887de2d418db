package io.kvstadium.transfer.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Engines;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.SourceReader;
import io.kvstadium.transfer.source.Sources;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** What a library writes is read as the same records, and each kept value is one of them again. */
class CsvProperties {
  private static final int COLUMNS = 3;

  @Property(tries = 300)
  void readsWhatALibraryWrites(@ForAll("tables") List<List<String>> rows) throws IOException {
    for (CSVFormat format : List.of(CSVFormat.RFC4180, CSVFormat.TDF)) {
      // given
      String extension = format.getDelimiterString().equals(",") ? ".csv" : ".tsv";
      Path file = Files.createTempFile("table", extension);
      try (var out = format.print(file, StandardCharsets.UTF_8)) {
        out.printRecord("a", "b", "id");
        for (int k = 0; k < rows.size(); k++) {
          List<String> row = new ArrayList<>(rows.get(k));
          row.set(COLUMNS - 1, "k" + row.get(COLUMNS - 1));
          out.printRecord(row);
        }
      }

      // when
      List<String> expected = new ArrayList<>();
      List<String> read = new ArrayList<>();
      try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, format)) {
        parser.stream().skip(1).forEach(r -> expected.add(r.get(COLUMNS - 1) + r.toList()));
      }
      SourceOptions options =
          SourceOptions.DEFAULT.columns(new Columns("id", null, null, Columns.DEFAULT.maxBytes()));
      try (SourceReader entries =
          Sources.open(file.toString(), options, Engines.of(List.of())).read()) {
        for (Item entry = entries.next(); entry != null; entry = entries.next()) {
          CSVRecord record = only(format, new String(entry.value(), StandardCharsets.UTF_8));
          read.add(new String(entry.key(), StandardCharsets.UTF_8) + record.toList());
        }
      }
      Files.delete(file);

      // then
      assertThat(read).isEqualTo(expected);
    }
  }

  private static CSVRecord only(CSVFormat format, String text) {
    try (CSVParser parser = CSVParser.parse(new StringReader(text), format)) {
      List<CSVRecord> records = parser.getRecords();
      assertThat(records).hasSize(1);
      return records.getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Provide
  Arbitrary<List<List<String>>> tables() {
    Arbitrary<String> field =
        Arbitraries.strings().withChars("ab\",\t\n ü#").ofMaxLength(8).map(String::strip);
    return field.list().ofSize(COLUMNS).list().ofMinSize(1).ofMaxSize(6);
  }
}

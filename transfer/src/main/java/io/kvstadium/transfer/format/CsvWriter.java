package io.kvstadium.transfer.format;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Writes CSV. */
public final class CsvWriter implements EntryWriter {
  private final CSVPrinter csv;
  private final Text.Bytes form;
  private String table = "";

  public CsvWriter(OutputStream out, Text.Bytes form) throws IOException {
    this.csv =
        new CSVPrinter(
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8)),
            CSVFormat.RFC4180.builder().setHeader(CsvReader.COLUMNS.toArray(String[]::new)).get());
    this.form = form;
  }

  @Override
  public void table(String name) {
    table = name;
  }

  @Override
  public void entry(byte[] key, byte[] value) throws IOException {
    Text keyText = Text.of(key, form);
    Text valueText = Text.of(value, form);
    csv.printRecord(
        table, keyText.text(), keyText.as().word(), valueText.text(), valueText.as().word());
  }

  @Override
  public void end(ContentSum sum) throws IOException {
    csv.flush();
  }
}

package io.kvstadium.transfer.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;

/** Writes JSON Lines. */
public final class JsonLinesWriter implements EntryWriter {
  private final JsonGenerator json;
  private final Text.Bytes form;
  private String table = "";

  public JsonLinesWriter(OutputStream out, Text.Bytes form) throws IOException {
    this.json =
        new JsonFactory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
            .setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    this.form = form;
  }

  @Override
  public void table(String name) {
    table = name;
  }

  @Override
  public void entry(byte[] key, byte[] value) throws IOException {
    json.writeStartObject();
    json.writeStringField("table", table);
    write("key", Text.of(key, form));
    write("value", Text.of(value, form));
    json.writeEndObject();
  }

  private void write(String field, Text text) throws IOException {
    if (text.as() == Text.As.STRING) {
      json.writeStringField(field, text.text());
    } else {
      json.writeObjectFieldStart(field);
      json.writeStringField(text.as().word(), text.text());
      json.writeEndObject();
    }
  }

  @Override
  public void end(ContentSum sum) throws IOException {
    if (sum.entries() > 0) {
      json.writeRaw('\n');
    }
    json.enable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    json.close();
  }
}

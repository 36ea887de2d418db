package io.kvstadium.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads JSON Lines. */
final class JsonLinesReader implements EntryReader {
  private final JsonParser json;

  JsonLinesReader(InputStream in) throws IOException {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxDocumentLength(-1)
                    .build())
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE) // it is read twice
            .build();
    json = factory.createParser(in);
  }

  @Override
  public @Nullable Item next() throws IOException {
    try {
      JsonToken first = json.nextToken();
      if (first == null) {
        return null;
      }
      if (first != JsonToken.START_OBJECT) {
        throw wrong("expected an object, such as {\"key\": \"a\", \"value\": \"1\"}");
      }
      return object();
    } catch (JsonProcessingException e) {
      throw new CorruptException(where() + ": not valid JSON: " + e.getOriginalMessage(), e);
    }
  }

  private Item object() throws IOException {
    String table = Store.DEFAULT_TABLE;
    byte[] key = null;
    byte[] value = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      switch (field) {
        case "table" -> {
          if (json.nextToken() != JsonToken.VALUE_STRING) {
            throw wrong("\"table\" must be a string");
          }
          table = json.getText();
        }
        case "key" -> key = bytes(field);
        case "value" -> value = bytes(field);
        default -> throw wrong("\"" + field + "\" is not one of \"table\", \"key\" and \"value\"");
      }
    }
    if (key == null || value == null) {
      throw wrong(key == null ? "\"key\" is missing" : "\"value\" is missing");
    }
    return new Item(table, key, value);
  }

  private byte[] bytes(String field) throws IOException {
    JsonToken token = json.nextToken();
    if (token == JsonToken.VALUE_STRING) {
      return new Text(Text.As.STRING, json.getText()).bytes(where());
    }
    if (token != JsonToken.START_OBJECT || json.nextToken() != JsonToken.FIELD_NAME) {
      throw wrong("\"" + field + "\" must be a string, {\"hex\": \"…\"} or {\"base64\": \"…\"}");
    }
    Text.As as = Text.As.of(json.currentName(), where());
    if (json.nextToken() != JsonToken.VALUE_STRING) {
      throw wrong("\"" + as.word() + "\" must be a string");
    }
    byte[] bytes = new Text(as, json.getText()).bytes(where());
    if (json.nextToken() != JsonToken.END_OBJECT) {
      throw wrong("\"" + field + "\" must have one form only");
    }
    return bytes;
  }

  private CorruptException wrong(String what) {
    return new CorruptException(where() + ": " + what);
  }

  private String where() {
    return "line " + json.currentLocation().getLineNr();
  }
}

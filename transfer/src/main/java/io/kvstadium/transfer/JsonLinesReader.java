package io.kvstadium.transfer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.records.JsonKey;
import io.kvstadium.transfer.records.RecordReader;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object in each line: with the fields that {@link JsonLinesWriter} writes, or with
 * any others, of which one is the key and another, or the whole line, the value.
 */
final class JsonLinesReader implements EntryReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxDocumentLength(-1)
                  .build())
          .build();

  private final RecordReader lines;
  private final @Nullable JsonKey key;
  private final @Nullable JsonKey value;

  /**
   * @param keyField the field of the key; {@code null} for our own fields
   * @param valueField the field of the value; {@code null} for the whole line
   */
  JsonLinesReader(InputStream in, @Nullable String keyField, @Nullable String valueField)
      throws IOException {
    lines = RecordReader.lines(in, LONGEST);
    key = keyField == null ? null : new JsonKey(keyField);
    value = valueField == null ? null : new JsonKey(valueField);
  }

  @Override
  public @Nullable Item next() throws IOException {
    if (!lines.advance()) {
      return null;
    }
    lines.checkUtf8();
    if (key != null) {
      byte[] keyBytes = bytes(key);
      if (keyBytes.length == 0) {
        throw wrong("the key is empty; give every entry a key");
      }
      return new Item(Store.DEFAULT_TABLE, keyBytes, value == null ? lines.copy() : bytes(value));
    }
    try (JsonParser json =
        JSON.createParser(lines.buffer(), lines.start(), lines.end() - lines.start())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw wrong(
            "expected an object, such as {\"key\": \"a\", \"value\": \"1\"}"
                + (json.currentToken() == JsonToken.START_ARRAY
                    ? ": write one document per line, for example with jq -c '.[]'"
                    : ""));
      }
      Item item = object(json);
      if (json.nextToken() != null) {
        throw wrong("something follows the object; write one document per line");
      }
      return item;
    } catch (JsonProcessingException e) {
      throw new CorruptException(
          lines.where()
              + ": not valid JSON at column "
              + e.getLocation().getColumnNr()
              + ": "
              + e.getOriginalMessage(),
          e);
    }
  }

  private byte[] bytes(JsonKey field) {
    return RecordReader.utf8(field.of(lines), lines.where());
  }

  private Item object(JsonParser json) throws IOException {
    String table = Store.DEFAULT_TABLE;
    byte[] keyBytes = null;
    byte[] valueBytes = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      switch (field) {
        case "table" -> {
          if (json.nextToken() != JsonToken.VALUE_STRING) {
            throw wrong("\"table\" must be a string");
          }
          table = json.getText();
        }
        case "key" -> keyBytes = bytes(json, field);
        case "value" -> valueBytes = bytes(json, field);
        default ->
            throw wrong(
                "\""
                    + field
                    + "\" is not one of \"table\", \"key\" and \"value\": name the field of the key"
                    + " (--key), and perhaps that of the value (--value)");
      }
    }
    if (keyBytes == null || valueBytes == null) {
      throw wrong(keyBytes == null ? "\"key\" is missing" : "\"value\" is missing");
    }
    return new Item(table, keyBytes, valueBytes);
  }

  private byte[] bytes(JsonParser json, String field) throws IOException {
    JsonToken token = json.nextToken();
    if (token == JsonToken.VALUE_STRING) {
      return new Text(Text.As.STRING, json.getText()).bytes(lines.where());
    }
    if (token != JsonToken.START_OBJECT || json.nextToken() != JsonToken.FIELD_NAME) {
      throw wrong("\"" + field + "\" must be a string, {\"hex\": \"…\"} or {\"base64\": \"…\"}");
    }
    Text.As as = Text.As.of(json.currentName(), lines.where());
    if (json.nextToken() != JsonToken.VALUE_STRING) {
      throw wrong("\"" + as.word() + "\" must be a string");
    }
    byte[] bytes = new Text(as, json.getText()).bytes(lines.where());
    if (json.nextToken() != JsonToken.END_OBJECT) {
      throw wrong("\"" + field + "\" must have one form only");
    }
    return bytes;
  }

  private CorruptException wrong(String what) {
    return new CorruptException(lines.where() + ": " + what);
  }
}

package io.kvstadium.transfer.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object in each line: with the fields that {@link JsonLinesWriter} writes, or with
 * any others, of which one is the key and another, or the whole line, the value.
 */
public final class JsonLinesReader implements EntryReader {
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
  private final Columns columns;

  /** Those of the key; none for our own fields. */
  private final List<JsonKey> keys;

  private final @Nullable JsonKey value;

  /**
   * @param name of the file, for messages, or empty
   */
  public JsonLinesReader(String name, InputStream in, Columns columns) throws IOException {
    this.lines = RecordReader.lines(name, in, columns.maxBytes());
    this.columns = columns;
    this.keys =
        columns.key() == null
            ? List.of()
            : TupleKey.names(columns.key()).stream().map(JsonKey::new).toList();
    this.value = columns.value() == null ? null : new JsonKey(columns.value());
  }

  @Override
  public @Nullable Item next() throws IOException {
    if (!lines.advance()) {
      return null;
    }
    try {
      return line();
    } catch (BadArgumentException | CorruptException e) {
      throw BadEntry.of(e);
    }
  }

  private Item line() throws IOException {
    lines.checkUtf8();
    if (!keys.isEmpty()) {
      byte[] key = TupleKey.of(keys.stream().map(this::bytes).toList());
      if (key.length == 0) {
        throw wrong("the key is empty; give every entry a key");
      }
      return new Item(Store.DEFAULT_TABLE, key, value == null ? lines.copy() : bytes(value));
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
      throw new BadEntry(
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
                "which field is the key? Give one of "
                    + RecordReader.shown(new JsonKey(null).fields(lines))
                    + " as --key, or several, as in --key a,b; or write only table, key and value");
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

  private BadEntry wrong(String what) {
    return new BadEntry(lines.where() + ": " + what);
  }

  @Override
  public Map<String, String> describe() {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("key", columns.key() == null ? "key" : columns.key());
    parts.put(
        "value",
        columns.value() != null
            ? columns.value()
            : columns.key() == null ? "value" : "the whole line");
    return parts;
  }
}

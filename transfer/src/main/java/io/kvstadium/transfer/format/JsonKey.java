package io.kvstadium.transfer.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the key in a line of JSON, reading it once from end to end without building a tree. */
final class JsonKey {
  private final @Nullable String field;
  private final String[] steps;
  private final JsonFactory json;

  /**
   * @param field the name of the key's field, nested as {@code user.id}; {@code null} only to ask
   *     for the fields that there are
   */
  public JsonKey(@Nullable String field) {
    this.field = field;
    this.steps = field == null ? new String[0] : field.split("\\.", -1);
    // The reader has already bounded the line. Interning would keep every name of a map-like
    // document.
    this.json =
        JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();
  }

  /**
   * The key of the reader's current line.
   *
   * @throws BadArgumentException if the line is not an object that has it, with the place
   */
  public String of(RecordReader line) {
    if (field == null) {
      throw new IllegalStateException("no field was given");
    }
    try (JsonParser parser = parser(line)) {
      String key = scan(parser, line);
      if (key == null) {
        List<String> fields = fields(line);
        throw new BadArgumentException(
            line.where()
                + ": there is no field '"
                + field
                + "'"
                + Nearest.hint(field, fields)
                + "; the line has "
                + RecordReader.shown(fields));
      }
      return key;
    } catch (JsonProcessingException e) {
      throw malformed(line, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is in memory
    }
  }

  private JsonParser parser(RecordReader line) throws IOException {
    return json.createParser(line.buffer(), line.start(), line.end() - line.start());
  }

  private @Nullable String scan(JsonParser parser, RecordReader line) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new BadArgumentException(
          line.where()
              + " is not a JSON object"
              + (parser.currentToken() == JsonToken.START_ARRAY
                  ? ": write one document per line, for example with jq -c '.[]'"
                  : ": write one object per line, with the key as a field"));
    }
    String key = null;
    // Only objects on the path are entered, so at depth d the step d - 1 is the one to look for.
    int depth = 1;
    while (depth > 0) {
      JsonToken token = parser.nextToken();
      if (token != JsonToken.FIELD_NAME) {
        depth--;
        continue;
      }
      String name = parser.currentName();
      boolean step = name.equals(steps[depth - 1]);
      if ((step && depth == steps.length) || (depth == 1 && name.equals(field))) {
        if (key != null) {
          throw new BadArgumentException(
              line.where() + ": the field '" + field + "' occurs twice; remove one");
        }
        key = scalar(parser, line);
      } else if (parser.nextToken() == JsonToken.START_OBJECT && step) {
        depth++;
      } else {
        parser.skipChildren();
      }
    }
    if (parser.nextToken() != null) {
      throw new BadArgumentException(
          line.where() + ": something follows the object; write one document per line");
    }
    return key;
  }

  private String scalar(JsonParser parser, RecordReader line) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.VALUE_STRING || (token != null && token.isNumeric())) {
      return parser.getText();
    }
    throw new BadArgumentException(
        line.where()
            + ": the field '"
            + field
            + "' is not a string or number; choose a field that is one in every line");
  }

  /** The paths of all strings and numbers of a line, for suggestions. */
  public List<String> fields(RecordReader line) {
    List<String> result = new ArrayList<>();
    try (JsonParser parser = parser(line)) {
      List<String> path = new ArrayList<>();
      for (JsonToken t = parser.nextToken(); t != null; t = parser.nextToken()) {
        if (t == JsonToken.START_ARRAY) {
          parser.skipChildren();
        } else if (t == JsonToken.START_OBJECT) {
          path.add("");
        } else if (t == JsonToken.END_OBJECT) {
          path.removeLast();
        } else if (t == JsonToken.FIELD_NAME) {
          path.set(path.size() - 1, parser.currentName());
        } else if (!path.isEmpty() && (t == JsonToken.VALUE_STRING || t.isNumeric())) {
          result.add(String.join(".", path));
        }
      }
    } catch (JsonProcessingException e) {
      throw malformed(line, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return result.isEmpty() ? List.of("(no strings or numbers)") : result;
  }

  private static BadArgumentException malformed(RecordReader line, JsonProcessingException e) {
    return new BadArgumentException(
        line.where()
            + " is not a JSON document ("
            + e.getOriginalMessage()
            + "); write one valid document per line, for example with jq -c .",
        e);
  }
}

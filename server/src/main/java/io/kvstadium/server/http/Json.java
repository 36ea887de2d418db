package io.kvstadium.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON of the modern protocol. A byte string is a JSON string if it is valid UTF-8, or else <code>
 * {"base64": "…"}</code>; both forms are understood.
 */
public final class Json {
  public static final String TYPE = "application/json";

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(16)
                  .maxStringLength(Integer.MAX_VALUE) // a body's length is limited
                  .build())
          .build();

  private Json() {}

  /** Writes some JSON. */
  public interface Writing {
    void to(JsonGenerator json) throws IOException;
  }

  /** Reads a body. */
  public interface Reading<R> {
    R from(JsonParser json) throws IOException;
  }

  public static byte[] bytes(Writing writing) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128);
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      writing.to(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no file
    }
    return out.toByteArray();
  }

  public static Reply reply(HttpResponseStatus status, Writing writing) {
    return new Reply(status, TYPE, Unpooled.wrappedBuffer(bytes(writing)), Map.of());
  }

  /**
   * Reads a whole body.
   *
   * @throws HttpException if it is not JSON, or something follows it
   */
  public static <R> R read(byte[] body, Reading<R> reading) {
    try (JsonParser json = FACTORY.createParser(body)) {
      json.nextToken();
      R result = reading.from(json);
      if (json.nextToken() != null) {
        throw HttpException.badRequest("something follows the JSON in the body");
      }
      return result;
    } catch (JsonProcessingException e) {
      throw HttpException.badRequest("the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // there is no file
    }
  }

  /** The next token must be this one. */
  public static void expect(JsonParser json, JsonToken wanted, String what) {
    if (json.currentToken() != wanted) {
      throw HttpException.badRequest(what);
    }
  }

  public static void write(JsonGenerator json, byte[] bytes) throws IOException {
    String text = text(bytes);
    if (text != null) {
      json.writeString(text);
    } else {
      json.writeStartObject();
      json.writeStringField("base64", Base64.getEncoder().encodeToString(bytes));
      json.writeEndObject();
    }
  }

  private static @Nullable String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Reads a byte string; the parser is at its first token. */
  public static byte[] bytes(JsonParser json, String what) throws IOException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      return utf8(json.getText(), what);
    }
    String mistake = what + " is a string, or {\"base64\": \"…\"}";
    expect(json, JsonToken.START_OBJECT, mistake);
    if (!"base64".equals(json.nextFieldName()) || json.nextToken() != JsonToken.VALUE_STRING) {
      throw HttpException.badRequest(mistake);
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(json.getText());
    } catch (IllegalArgumentException e) {
      throw HttpException.badRequest(what + ": this is not base64: " + e.getMessage());
    }
    json.nextToken();
    expect(json, JsonToken.END_OBJECT, mistake);
    return bytes;
  }

  private static byte[] utf8(String text, String what) {
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(text));
      byte[] array = new byte[bytes.remaining()];
      bytes.get(array);
      return array;
    } catch (CharacterCodingException e) {
      throw HttpException.badRequest(what + " has half of a surrogate pair: give it as base64");
    }
  }
}

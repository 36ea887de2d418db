package io.kvstadium.cli.entries;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.codec.Codec;
import java.io.IOException;

/** Text that is JSON: stored as it was written, printed on one line. */
final class JsonCodec implements TextCodec {
  private final ObjectMapper mapper =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  @Override
  public byte[] encode(String text) {
    return checked(Codec.STRING.encode(text));
  }

  @Override
  public byte[] encodePiped(byte[] input) {
    return checked(input);
  }

  private byte[] checked(byte[] bytes) {
    try {
      read(bytes);
      return bytes;
    } catch (CorruptException e) {
      throw new BadArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String decode(byte[] bytes) {
    return read(bytes).toString();
  }

  @Override
  public Object json(byte[] bytes) {
    return read(bytes);
  }

  @Override
  public byte[] prefix(String text) {
    return text.getBytes(UTF_8);
  }

  private JsonNode read(byte[] bytes) {
    try {
      JsonNode node = mapper.readTree(bytes);
      if (!node.isMissingNode()) {
        return node;
      }
      throw new CorruptException("an empty value is not JSON");
    } catch (JsonProcessingException e) {
      throw new CorruptException("not valid JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new CorruptException("not valid JSON: " + e.getMessage(), e);
    }
  }
}

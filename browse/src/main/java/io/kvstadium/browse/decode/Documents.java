package io.kvstadium.browse.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter.Indenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter.NopIndenter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import io.kvstadium.browse.decode.Decoder.Input;
import java.io.IOException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageInsufficientBufferException;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/**
 * Documents of nested fields as JSON, read token by token, so that depth and size cannot hurt: what
 * is deeper or longer than a person reads is cut off.
 */
final class Documents {
  private static final JsonFactory JSON = new JsonFactory();
  private static final CBORFactory CBOR = new CBORFactory();
  private static final int MAX_DEPTH = 100;
  private static final int MAX_TEXT = 1 << 20;

  private final StringWriter text = new StringWriter();
  private final JsonGenerator out; // never closed: what is cut off stays open
  private int depth;

  private Documents(Input input) throws IOException {
    out = JSON.createGenerator(text);
    out.setPrettyPrinter(printer(input.indented()));
  }

  private static PrettyPrinter printer(boolean indented) {
    Spacing between = indented ? Spacing.NONE : Spacing.AFTER;
    Indenter indenter = indented ? new DefaultIndenter("  ", "\n") : NopIndenter.instance;
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Spacing.AFTER)
                .withObjectEntrySpacing(between)
                .withArrayValueSpacing(between)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
    printer.indentObjectsWith(indenter);
    printer.indentArraysWith(indenter);
    return printer;
  }

  static @Nullable String json(Input input) {
    int first = 0;
    while (first < input.bytes().length
        && input.bytes()[first] <= ' '
        && input.bytes()[first] > 0) {
      first++;
    }
    boolean document =
        first < input.bytes().length
            && (input.bytes()[first] == '{' || input.bytes()[first] == '[');
    return document ? parsed(JSON, input) : null;
  }

  static @Nullable String cbor(Input input) {
    int major = input.bytes().length == 0 ? 0 : (input.bytes()[0] & 0xff) >> 5;
    return major == 4 || major == 5 || major == 6 ? parsed(CBOR, input) : null;
  }

  private static @Nullable String parsed(JsonFactory factory, Input input) {
    try (JsonParser in = factory.createParser(input.bytes())) {
      Documents document = new Documents(input);
      try {
        do {
          JsonToken token = in.nextToken();
          if (token == null) {
            return null;
          }
          document.copy(in, token);
          if (document.isFull()) {
            return document.cut();
          }
        } while (document.depth > 0);
        return in.nextToken() == null ? document.whole() : null;
      } catch (JsonEOFException e) {
        return input.complete() ? null : document.cut();
      }
    } catch (IOException e) {
      return null;
    }
  }

  private void copy(JsonParser in, JsonToken token) throws IOException {
    depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
    switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(in.getText()); // as written
      case VALUE_EMBEDDED_OBJECT -> out.writeString(Texts.hex(in.getBinaryValue()));
      default -> out.copyCurrentEvent(in);
    }
  }

  static @Nullable String messagePack(Input input) {
    try (MessageUnpacker in = MessagePack.newDefaultUnpacker(input.bytes())) {
      Documents document = new Documents(input);
      try {
        if (!in.hasNext()
            || !(in.getNextFormat().getValueType().isMapType()
                || in.getNextFormat().getValueType().isArrayType())) {
          return null;
        }
        if (!document.copy(in, input.bytes().length)) {
          return document.cut();
        }
        return in.hasNext() ? null : document.whole();
      } catch (MessageInsufficientBufferException e) {
        return input.complete() ? null : document.cut();
      }
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Copies a value, or begins to: false if it is cut off. Lengths are believed only as far as there
   * are bytes.
   */
  private boolean copy(MessageUnpacker in, int length) throws IOException {
    if (isFull()) {
      return false;
    }
    switch (in.getNextFormat().getValueType()) {
      case MAP -> {
        out.writeStartObject();
        depth++;
        for (int left = in.unpackMapHeader(); left > 0; left--) {
          out.writeFieldName(scalar(in, length));
          if (!copy(in, length)) {
            return false;
          }
        }
        depth--;
        out.writeEndObject();
      }
      case ARRAY -> {
        out.writeStartArray();
        depth++;
        for (int left = in.unpackArrayHeader(); left > 0; left--) {
          if (!copy(in, length)) {
            return false;
          }
        }
        depth--;
        out.writeEndArray();
      }
      case STRING, BINARY, EXTENSION -> out.writeString(scalar(in, length));
      default -> out.writeRawValue(scalar(in, length));
    }
    return true;
  }

  /** A value without parts; what has some is no name of a field. */
  private static String scalar(MessageUnpacker in, int length) throws IOException {
    return switch (in.getNextFormat().getValueType()) {
      case STRING -> {
        byte[] bytes = payload(in, in.unpackRawStringHeader(), length);
        String text = Texts.utf8(bytes, true);
        yield text == null ? Texts.hex(bytes) : text;
      }
      case BINARY -> Texts.hex(payload(in, in.unpackBinaryHeader(), length));
      case EXTENSION -> {
        var header = in.unpackExtensionTypeHeader();
        byte[] bytes = payload(in, header.getLength(), length);
        yield "extension " + header.getType() + " " + Texts.hex(bytes);
      }
      case MAP, ARRAY -> throw new IOException("a map or a list is the name of a field");
      default -> in.unpackValue().toString();
    };
  }

  private static byte[] payload(MessageUnpacker in, int size, int length) throws IOException {
    if (size > length - in.getTotalReadBytes()) {
      throw new MessageInsufficientBufferException();
    }
    return in.readPayload(size);
  }

  private boolean isFull() {
    return depth > MAX_DEPTH || text.getBuffer().length() > MAX_TEXT;
  }

  private String whole() throws IOException {
    out.flush();
    return text.toString();
  }

  private String cut() throws IOException {
    return whole() + "…";
  }
}

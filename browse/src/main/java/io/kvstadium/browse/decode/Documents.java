package io.kvstadium.browse.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import io.kvstadium.browse.decode.Decoder.Input;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageInsufficientBufferException;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;

/** Documents of nested fields: read token by token, so that depth and size cannot hurt. */
final class Documents {
  private static final JsonFactory JSON = new JsonFactory();
  private static final CBORFactory CBOR = new CBORFactory();

  private Documents() {}

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
    Outline outline = new Outline(input.indented());
    try (JsonParser parser = factory.createParser(input.bytes())) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        switch (token) {
          case START_OBJECT, START_ARRAY -> outline.begin(token == JsonToken.START_OBJECT, -1);
          case END_OBJECT, END_ARRAY -> outline.end();
          case FIELD_NAME -> outline.name(parser.currentName());
          case VALUE_STRING -> outline.string(parser.getText());
          case VALUE_EMBEDDED_OBJECT -> outline.scalar(Texts.hex(parser.getBinaryValue()));
          default -> outline.scalar(parser.getText());
        }
        if (outline.isFull()) {
          return outline.cut();
        }
        if (outline.isDone()) {
          return parser.nextToken() == null ? outline.text() : null;
        }
      }
      return null;
    } catch (JsonEOFException e) {
      return input.complete() || outline.isEmpty() ? null : outline.cut();
    } catch (IOException e) {
      return null;
    }
  }

  static @Nullable String messagePack(Input input) {
    byte[] bytes = input.bytes();
    Outline outline = new Outline(input.indented());
    try (MessageUnpacker in = MessagePack.newDefaultUnpacker(bytes)) {
      if (!in.hasNext()
          || !(in.getNextFormat().getValueType().isMapType()
              || in.getNextFormat().getValueType().isArrayType())) {
        return null;
      }
      do {
        read(in, outline, bytes.length);
        if (outline.isFull()) {
          return outline.cut();
        }
      } while (!outline.isDone());
      return in.hasNext() ? null : outline.text();
    } catch (MessageInsufficientBufferException e) {
      return input.complete() ? null : outline.cut();
    } catch (IOException e) {
      return null;
    }
  }

  /** One token; lengths are believed only as far as there are bytes. */
  private static void read(MessageUnpacker in, Outline outline, int length) throws IOException {
    switch (in.getNextFormat().getValueType()) {
      case MAP -> outline.begin(true, in.unpackMapHeader());
      case ARRAY -> outline.begin(false, in.unpackArrayHeader());
      case STRING -> {
        int size = in.unpackRawStringHeader();
        outline.stringOrName(text(payload(in, size, length)));
      }
      case BINARY -> outline.scalarOrName(Texts.hex(payload(in, in.unpackBinaryHeader(), length)));
      case EXTENSION -> {
        var header = in.unpackExtensionTypeHeader();
        outline.scalarOrName(
            "extension "
                + header.getType()
                + " "
                + Texts.hex(payload(in, header.getLength(), length)));
      }
      default -> outline.scalarOrName(in.unpackValue().toString());
    }
  }

  private static byte[] payload(MessageUnpacker in, int size, int length) throws IOException {
    if (size > length - in.getTotalReadBytes()) {
      throw new MessageInsufficientBufferException();
    }
    return in.readPayload(size);
  }

  private static String text(byte[] bytes) {
    String text = Texts.utf8(bytes, true);
    return text == null ? Texts.hex(bytes) : text;
  }

  /** A document's text while it grows. */
  private static final class Outline {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_TEXT = 1 << 20;

    /** A map or list that is open, and how many of its elements are missing; -1 if not known. */
    private static final class Level {
      private final boolean map;
      private long missing;
      private long count;
      private boolean named;

      private Level(boolean map, long missing) {
        this.map = map;
        this.missing = missing;
      }
    }

    private final StringBuilder text = new StringBuilder();
    private final Deque<Level> open = new ArrayDeque<>();
    private final boolean indented;
    private boolean tooDeep;

    Outline(boolean indented) {
      this.indented = indented;
    }

    void begin(boolean map, long size) {
      separate();
      text.append(map ? '{' : '[');
      open.push(new Level(map, size));
      tooDeep = open.size() > MAX_DEPTH;
      finish();
    }

    void end() {
      Level level = open.pop();
      if (level.count > 0) {
        line();
      }
      text.append(level.map ? '}' : ']');
      finish();
    }

    void name(String name) {
      separate();
      quote(name);
      text.append(": ");
      open.element().named = true;
    }

    void stringOrName(String value) {
      if (wantsName()) {
        name(value);
      } else {
        string(value);
      }
    }

    void scalarOrName(String value) {
      if (wantsName()) {
        name(value);
      } else {
        scalar(value);
      }
    }

    void string(String value) {
      separate();
      quote(value);
      finish();
    }

    void scalar(String value) {
      separate();
      text.append(value);
      finish();
    }

    private boolean wantsName() {
      Level level = open.peek();
      return level != null && level.map && !level.named;
    }

    private void separate() {
      Level level = open.peek();
      if (level == null) {
        return;
      }
      if (level.named) {
        level.named = false;
        return;
      }
      text.append(level.count++ > 0 ? "," : "");
      line();
    }

    /** Ends maps and lists that are known to be complete. */
    private void finish() {
      Level level = open.peek();
      while (level != null && level.missing >= 0 && !level.named && level.count >= level.missing) {
        level.missing = -1;
        end();
        level = open.peek();
      }
    }

    private void line() {
      if (indented) {
        text.append('\n').repeat("  ", open.size());
      } else {
        text.append(text.charAt(text.length() - 1) == ',' ? " " : "");
      }
    }

    private void quote(String value) {
      text.append('"').append(JsonStringEncoder.getInstance().quoteAsString(value)).append('"');
    }

    boolean isEmpty() {
      return text.isEmpty();
    }

    boolean isDone() {
      return open.isEmpty() && !text.isEmpty();
    }

    boolean isFull() {
      return tooDeep || text.length() > MAX_TEXT;
    }

    String text() {
      return text.toString();
    }

    String cut() {
      return text + "…";
    }
  }
}

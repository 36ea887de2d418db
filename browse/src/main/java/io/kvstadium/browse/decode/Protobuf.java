package io.kvstadium.browse.decode;

import io.kvstadium.browse.decode.Decoder.Input;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Protocol Buffers without their schema: numbers of fields, and what their bytes look like. */
final class Protobuf {
  private static final int MAX_DEPTH = 12;
  private static final int MAX_FIELD = 1 << 18; // higher numbers are rather another format

  private final byte[] bytes;
  private int at;
  private final int end;

  private Protobuf(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  static @Nullable String text(Input input) {
    byte[] bytes = input.bytes();
    StringBuilder text = new StringBuilder();
    boolean valid =
        bytes.length > 1
            && new Protobuf(bytes, 0, bytes.length)
                .message(text, 0, input.indented(), !input.complete());
    return valid ? text.toString() : null;
  }

  private boolean message(StringBuilder text, int depth, boolean indented, boolean cut) {
    String separator = "";
    while (at < end) {
      long tag = varint();
      if (tag == -1 || tag >>> 3 == 0 || tag >>> 3 > MAX_FIELD) {
        return false;
      }
      text.append(separator);
      text.append(indented ? "  ".repeat(depth) : "").append(tag >>> 3).append(": ");
      if (!field((int) (tag & 7), text, depth, indented)) {
        return cut && depth == 0 && text.length() > 8;
      }
      separator = indented ? "\n" : ", ";
    }
    return true;
  }

  private boolean field(int type, StringBuilder text, int depth, boolean indented) {
    return switch (type) {
      case 0 -> {
        int before = at;
        long value = varint();
        text.append(value);
        yield at > before;
      }
      case 1, 5 -> {
        int size = type == 1 ? 8 : 4;
        if (end - at < size) {
          yield false;
        }
        text.append(Texts.hex(Arrays.copyOfRange(bytes, at, at + size)));
        at += size;
        yield true;
      }
      case 2 -> {
        long size = varint();
        if (size < 0 || size > end - at) {
          yield false;
        }
        content(at, at + (int) size, text, depth, indented);
        at += (int) size;
        yield true;
      }
      default -> false;
    };
  }

  private void content(int from, int to, StringBuilder text, int depth, boolean indented) {
    byte[] content = Arrays.copyOfRange(bytes, from, to);
    String string = Texts.printable(new Input(content, true, false));
    if (string != null || content.length == 0) {
      text.append('"').append(string == null ? "" : string).append('"');
      return;
    }
    StringBuilder nested = new StringBuilder();
    if (depth < MAX_DEPTH
        && new Protobuf(bytes, from, to).message(nested, depth + 1, indented, false)) {
      text.append(indented ? "{\n" : "{").append(nested);
      text.append(indented ? "\n" + "  ".repeat(depth) + "}" : "}");
    } else {
      text.append(Texts.hex(content));
    }
  }

  /** A number, or -1 with {@code at} unchanged if there is none. */
  private long varint() {
    long value = 0;
    for (int i = 0; i < 10 && at + i < end; i++) {
      value |= (bytes[at + i] & 0x7fL) << (7 * i);
      if (bytes[at + i] >= 0) {
        at += i + 1;
        return value;
      }
    }
    return -1;
  }
}

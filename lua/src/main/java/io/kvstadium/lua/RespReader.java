package io.kvstadium.lua;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Pushes replies of commands as Lua values. */
final class RespReader {
  private final ByteBuffer in;
  private final Stack stack;

  /**
   * A reader.
   *
   * @param in replies, which are complete and well-formed
   */
  RespReader(ByteBuffer in, Stack stack) {
    this.in = in;
    this.stack = stack;
  }

  /** Pushes the next reply. */
  void read() {
    stack.reserve(6);
    char type = (char) in.get();
    switch (type) {
      case '$' -> bulk();
      case ':' -> stack.push((double) integer());
      case '+' -> field("ok", this::line);
      case '-' -> field("err", this::line);
      case '*' -> array();
      case '%' -> field("map", this::map);
      case '~' -> field("set", this::set);
      case '_' -> {
        in.position(in.position() + 2);
        stack.nil();
      }
      case '#' -> {
        stack.push(in.get() == 't');
        in.position(in.position() + 2);
      }
      case ',' -> field("double", this::real);
      case '(' -> field("big_number", this::line);
      case '=' -> field("verbatim_string", this::verbatim);
      default -> throw new IllegalStateException("no reply begins with " + type);
    }
  }

  private void field(String name, Runnable value) {
    stack.table(0, 1);
    value.run();
    stack.set(name);
  }

  private int lineLength() {
    int end = in.position();
    while (in.get(end) != '\r') {
      end++;
    }
    return end - in.position();
  }

  private void line() {
    text(lineLength());
  }

  private void text(int length) {
    stack.push(in, length);
    in.position(in.position() + 2);
  }

  private void real() {
    byte[] digits = new byte[lineLength()];
    in.get(digits);
    in.position(in.position() + 2);
    String text = new String(digits, StandardCharsets.ISO_8859_1);
    stack.push(
        switch (text) {
          case "inf" -> Double.POSITIVE_INFINITY;
          case "-inf" -> Double.NEGATIVE_INFINITY;
          case "nan" -> Double.NaN;
          default -> Double.parseDouble(text);
        });
  }

  private long integer() {
    boolean negative = in.get(in.position()) == '-';
    if (negative) {
      in.get();
    }
    long value = 0;
    for (byte digit = in.get(); digit != '\r'; digit = in.get()) {
      value = value * 10 + (digit - '0');
    }
    in.get();
    return negative ? -value : value;
  }

  private void bulk() {
    int length = (int) integer();
    if (length < 0) {
      stack.push(false);
    } else {
      text(length);
    }
  }

  private void verbatim() {
    int length = (int) integer();
    stack.table(0, 2);
    stack.push(in, 3);
    stack.set("format");
    in.get();
    text(length - 4);
    stack.set("string");
  }

  private void array() {
    int size = (int) integer();
    if (size < 0) {
      stack.push(false);
      return;
    }
    stack.table(size, 0);
    for (int i = 1; i <= size; i++) {
      read();
      stack.set(-2, i);
    }
  }

  private void map() {
    stack.table(0, 0);
    for (long left = integer(); left > 0; left--) {
      read();
      read();
      stack.set(-3);
    }
  }

  private void set() {
    stack.table(0, 0);
    for (long left = integer(); left > 0; left--) {
      read();
      stack.push(true);
      stack.set(-3);
    }
  }
}

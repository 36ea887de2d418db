package io.kvstadium.lua;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON as {@code cjson} does. */
final class JsonReader {
  /** What C's {@code strtod} reads. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "[-+]?(0[xX](\\p{XDigit}+\\.?\\p{XDigit}*|\\.\\p{XDigit}+)([pP][-+]?\\d+)?"
              + "|(?i:inf(inity)?|nan(\\(\\w*\\))?)"
              + "|(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?)");

  /** Of those, what begins like no number of JSON. */
  private static final Pattern INVALID = Pattern.compile("\\+|-?(0[\\dxX]|(?i:inf|nan))");

  /** With what numbers, words and strings begin. */
  private static final String BEGINNINGS = "+-0123456789\"fiInNt";

  private final byte[] text;

  /** The same, one character for each byte. */
  private final String characters;

  private final int deepest;
  private final boolean lenient;
  private final Stack stack;
  private int position;
  private int depth;

  JsonReader(byte[] text, int deepest, boolean lenient, Stack stack) {
    this.text = text;
    this.characters = new String(text, StandardCharsets.ISO_8859_1);
    this.deepest = deepest;
    this.lenient = lenient;
    this.stack = stack;
  }

  /** Pushes the value. */
  void whole() {
    if (text.length >= 2 && ((text[0] & 0xff) == 0 || (text[1] & 0xff) == 0)) {
      throw new LuaError("JSON parser does not support UTF-16 or UTF-32");
    }
    value();
    if (peek() >= 0) {
      throw expected("the end");
    }
  }

  private void skip() {
    while (position < text.length && " \t\n\r".indexOf((text[position] & 0xff)) >= 0) {
      position++;
    }
  }

  /** The next character but spaces; -1 at the end, which a zero is, too. */
  private int peek() {
    skip();
    return position < text.length && text[position] != 0 ? text[position] & 0xff : -1;
  }

  private LuaError error(String what, String found, int at) {
    return new LuaError("Expected %s but found %s at character %d".formatted(what, found, at));
  }

  private LuaError expected(String what) {
    int c = peek();
    int at = position + 1;
    String found =
        switch (c) {
          case -1 -> "T_END";
          case '{' -> "T_OBJ_BEGIN";
          case '}' -> "T_OBJ_END";
          case '[' -> "T_ARR_BEGIN";
          case ']' -> "T_ARR_END";
          case ':' -> "T_COLON";
          case ',' -> "T_COMMA";
          case '"' -> {
            string(what); // an error in it comes first
            yield "T_STRING";
          }
          default -> word(what);
        };
    return error(what, found, at);
  }

  private String word(String what) {
    if (characters.startsWith("true", position) || characters.startsWith("false", position)) {
      return "T_BOOLEAN";
    }
    if (characters.startsWith("null", position)) {
      return "T_NULL";
    }
    number(what);
    return "T_NUMBER";
  }

  private void value() {
    switch (peek()) {
      case '"' -> string("value");
      case '{' -> object();
      case '[' -> array();
      case -1, '}', ']', ':', ',' -> throw expected("value");
      default -> wordOrNumber();
    }
  }

  private void wordOrNumber() {
    if (characters.startsWith("true", position)) {
      position += 4;
      stack.push(true);
    } else if (characters.startsWith("false", position)) {
      position += 5;
      stack.push(false);
    } else if (characters.startsWith("null", position)) {
      position += 4;
      stack.pushPointer(0);
    } else {
      stack.push(number("value"));
    }
  }

  private double number(String what) {
    int at = position + 1;
    int c = text[position] & 0xff;
    boolean begins = c == '-' || (c >= '0' && c <= '9');
    boolean invalid = INVALID.matcher(characters).region(position, text.length).lookingAt();
    if (BEGINNINGS.indexOf(c) < 0 || (!begins && !(lenient && invalid))) {
      throw error(what, "invalid token", at);
    }
    Matcher found = NUMBER.matcher(characters).region(position, text.length);
    if ((invalid && !lenient) || !found.lookingAt()) {
      throw error(what, "invalid number", at);
    }
    position = found.end();
    String digits = found.group().toLowerCase(Locale.ROOT);
    if (digits.contains("inf")) {
      return digits.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (digits.contains("nan")) {
      return digits.startsWith("-") ? Double.longBitsToDouble(0xfff8L << 48) : Double.NaN;
    }
    boolean hex = digits.contains("x");
    return Double.parseDouble(hex && digits.indexOf('p') < 0 ? digits + "p0" : digits);
  }

  private void descend() {
    if (++depth > deepest) {
      throw new LuaError(
          "Found too many nested data structures (%d) at character %d"
              .formatted(depth, position + 1));
    }
    position++;
  }

  private void array() {
    descend();
    stack.reserve(4);
    stack.table(0, 0);
    if (peek() == ']') {
      position++;
      depth--;
      return;
    }
    for (int i = 1; ; i++) {
      value();
      stack.set(-2, i);
      int c = peek();
      if (c == ']') {
        position++;
        depth--;
        return;
      }
      if (c != ',') {
        throw expected("comma or array end");
      }
      position++;
    }
  }

  private void object() {
    descend();
    stack.reserve(4);
    stack.table(0, 0);
    if (peek() == '}') {
      position++;
      depth--;
      return;
    }
    while (true) {
      if (peek() != '"') {
        throw expected("object key string");
      }
      string("object key string");
      if (peek() != ':') {
        throw expected("colon");
      }
      position++;
      value();
      stack.set(-3);
      int c = peek();
      if (c == '}') {
        position++;
        depth--;
        return;
      }
      if (c != ',') {
        throw expected("comma or object end");
      }
      position++;
    }
  }

  /** Pushes a string, where something is expected. */
  private void string(String what) {
    int end = ++position;
    while (end < text.length && text[end] != '"' && text[end] != '\\' && text[end] != 0) {
      end++;
    }
    if (end < text.length && text[end] == '"') {
      stack.push(text, position, end - position);
      position = end + 1;
      return;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (position < text.length && text[position] != '"' && text[position] != 0) {
      int c = text[position++];
      if (c != '\\') {
        out.write(c);
        continue;
      }
      int escaped = position < text.length ? text[position++] & 0xff : -1;
      int at = "\"\\/bfnrt".indexOf(escaped);
      if (at >= 0) {
        out.write("\"\\/\b\f\n\r\t".charAt(at));
      } else if (escaped == 'u') {
        unicode(out, what);
      } else {
        throw error(what, "invalid escape code", position - 1);
      }
    }
    if (position >= text.length || text[position] == 0) {
      throw error(what, "unexpected end of string", position + 1);
    }
    position++;
    stack.push(out.toByteArray());
  }

  private void unicode(ByteArrayOutputStream out, String what) {
    int code = hex(position);
    position += 4;
    if (code >= 0xd800 && code < 0xe000) {
      boolean pair = code < 0xdc00 && characters.startsWith("\\u", position);
      int low = pair ? hex(position + 2) : -1;
      if (low < 0xdc00 || low >= 0xe000) {
        throw error(what, "invalid unicode escape code", position - 5);
      }
      position += 6;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code < 0) {
      throw error(what, "invalid unicode escape code", position - 5);
    }
    out.writeBytes(Character.toString(code).getBytes(StandardCharsets.UTF_8));
  }

  private int hex(int from) {
    if (from + 4 > text.length) {
      return -1;
    }
    String digits = characters.substring(from, from + 4);
    return digits.matches("\\p{XDigit}{4}") ? Integer.parseInt(digits, 16) : -1;
  }
}

package io.kvstadium.server.redis.script;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** Reads JSON as {@code cjson} does. */
final class JsonReader {
  private static final Pattern NUMBER =
      Pattern.compile(
          "[-+]?(0[xX]\\p{XDigit}+|(?i:inf(inity)?|nan)|(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?)");

  private static final Pattern INVALID =
      Pattern.compile("[-+]?(0\\d.*|0[xX].*|(?i:inf|nan).*)|\\+.*|\\..*", Pattern.DOTALL);

  private final LuaString text;

  /** The same, one character for each byte. */
  private final String characters;

  private final int deepest;
  private final boolean lenient;
  private final LuaValue none;
  private int position;
  private int depth;

  JsonReader(LuaString text, int deepest, boolean lenient, LuaValue none) {
    this.text = text;
    this.characters = new String(Formats.bytes(text), StandardCharsets.ISO_8859_1);
    this.deepest = deepest;
    this.lenient = lenient;
    this.none = none;
  }

  LuaValue whole() {
    if (text.m_length >= 2 && (text.luaByte(0) == 0 || text.luaByte(1) == 0)) {
      throw new LuaError("JSON parser does not support UTF-16 or UTF-32");
    }
    LuaValue value = value();
    skip();
    if (position < text.m_length) {
      throw expected("the end");
    }
    return value;
  }

  private void skip() {
    while (position < text.m_length && " \t\n\r".indexOf(text.luaByte(position)) >= 0) {
      position++;
    }
  }

  private int peek() {
    skip();
    return position < text.m_length ? text.luaByte(position) : -1;
  }

  private LuaError expected(String what) {
    int c = peek();
    String found =
        switch (c) {
          case -1 -> "T_END";
          case '{' -> "T_OBJ_BEGIN";
          case '}' -> "T_OBJ_END";
          case '[' -> "T_ARR_BEGIN";
          case ']' -> "T_ARR_END";
          case ':' -> "T_COLON";
          case ',' -> "T_COMMA";
          case '"' -> "T_STRING";
          default ->
              Character.isDigit(c) || c == '-'
                  ? "T_NUMBER"
                  : characters.startsWith("true", position)
                          || characters.startsWith("false", position)
                      ? "T_BOOLEAN"
                      : characters.startsWith("null", position) ? "T_NULL" : "invalid token";
        };
    return new LuaError(
        "Expected %s but found %s at character %d".formatted(what, found, position + 1));
  }

  private LuaValue value() {
    return switch (peek()) {
      case '"' -> string();
      case '{' -> object();
      case '[' -> array();
      default -> wordOrNumber();
    };
  }

  private LuaValue wordOrNumber() {
    for (String word : new String[] {"true", "false", "null"}) {
      if (characters.startsWith(word, position)) {
        position += word.length();
        return word.equals("null") ? none : LuaValue.valueOf(word.equals("true"));
      }
    }
    return number();
  }

  private LuaValue number() {
    Matcher found = NUMBER.matcher(characters).region(position, characters.length());
    if (!found.lookingAt()) {
      throw expected("value");
    }
    String digits = found.group();
    if (!lenient && INVALID.matcher(digits).matches()) {
      throw new LuaError("Expected value but found invalid number at character " + (position + 1));
    }
    position = found.end();
    String word = digits.toLowerCase(Locale.ROOT);
    if (word.contains("inf")) {
      return LuaValue.valueOf(
          word.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    if (word.contains("nan")) {
      return LuaValue.valueOf(Double.NaN);
    }
    return LuaValue.valueOf(Double.parseDouble(word.contains("x") ? word + "p0" : word));
  }

  private void descend() {
    if (++depth > deepest) {
      throw new LuaError(
          "Found too many nested data structures (%d) at character %d"
              .formatted(depth, position + 1));
    }
    position++;
  }

  private LuaValue array() {
    descend();
    LuaTable list = new LuaTable();
    if (peek() == ']') {
      position++;
      depth--;
      return list;
    }
    for (int i = 1; ; i++) {
      list.rawset(i, value());
      int c = peek();
      if (c == ']') {
        position++;
        depth--;
        return list;
      }
      if (c != ',') {
        throw expected("comma or array end");
      }
      position++;
    }
  }

  private LuaValue object() {
    descend();
    LuaTable map = new LuaTable();
    if (peek() == '}') {
      position++;
      depth--;
      return map;
    }
    while (true) {
      if (peek() != '"') {
        throw expected("object key string");
      }
      LuaValue name = string();
      if (peek() != ':') {
        throw expected("colon");
      }
      position++;
      map.rawset(name, value());
      int c = peek();
      if (c == '}') {
        position++;
        depth--;
        return map;
      }
      if (c != ',') {
        throw expected("comma or object end");
      }
      position++;
    }
  }

  private LuaValue string() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    position++;
    while (position < text.m_length && text.luaByte(position) != '"') {
      int c = text.luaByte(position++);
      if (c != '\\') {
        out.write(c);
        continue;
      }
      int escaped = position < text.m_length ? text.luaByte(position++) : -1;
      int at = "\"\\/bfnrt".indexOf(escaped);
      if (at >= 0) {
        out.write("\"\\/\b\f\n\r\t".charAt(at));
      } else if (escaped == 'u') {
        unicode(out);
      } else {
        throw new LuaError(
            "Expected value but found invalid escape code at character " + (position - 1));
      }
    }
    if (position >= text.m_length) {
      throw new LuaError(
          "Expected value but found unexpected end of string at character " + (text.m_length + 1));
    }
    position++;
    return LuaString.valueUsing(out.toByteArray());
  }

  private void unicode(ByteArrayOutputStream out) {
    int code = hex(position);
    position += 4;
    if (code >= 0xd800 && code < 0xe000) {
      boolean pair = code < 0xdc00 && characters.startsWith("\\u", position);
      int low = pair ? hex(position + 2) : -1;
      if (low < 0xdc00 || low >= 0xe000) {
        throw invalidUnicode();
      }
      position += 6;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code < 0) {
      throw invalidUnicode();
    }
    out.writeBytes(Character.toString(code).getBytes(StandardCharsets.UTF_8));
  }

  private LuaError invalidUnicode() {
    return new LuaError(
        "Expected value but found invalid unicode escape code at character " + (position - 5));
  }

  private int hex(int from) {
    if (from + 4 > text.m_length) {
      return -1;
    }
    String digits = characters.substring(from, from + 4);
    return digits.matches("\\p{XDigit}{4}") ? Integer.parseInt(digits, 16) : -1;
  }
}

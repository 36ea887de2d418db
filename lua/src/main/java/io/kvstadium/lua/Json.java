package io.kvstadium.lua;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The library {@code cjson}, with its settings. */
final class Json {
  private boolean convertsSparse;
  private int sparseRatio = 2;
  private int sparseSafe = 10;
  private int deepest = 1_000;
  private int deepestRead = 1_000;
  private int precision = 14;
  private String invalidNumbers = "off";
  private String invalidRead = "on";
  private boolean keepsBuffer = true;

  /** The library that scripts find, and what they make with {@code cjson.new}. */
  static final class Libraries {
    private static final int MAX = 1_000;

    private final List<Json> all = new ArrayList<>();
    private int current;

    /** All settings are what they were at first. */
    void reset() {
      all.clear();
      all.add(new Json());
      current = 0;
    }

    /** Makes a library, whose number is the result, or lets the next call be of one. */
    private int choose(Stack stack) {
      if (stack.top() > 0) {
        current = (int) stack.number(1);
        return 0;
      }
      if (all.size() < MAX) { // else it shares the last one's
        all.add(new Json());
      }
      stack.push((double) all.size() - 1);
      return 1;
    }

    private Function of(BiFunction<Json, Stack, Integer> body) {
      return stack -> {
        Json json = all.get(current);
        current = 0;
        return body.apply(json, stack);
      };
    }

    void define(Map<String, Function> functions) {
      reset();
      functions.put("json", this::choose);
      functions.put("cjson.encode", of(Json::encode));
      functions.put("cjson.decode", of(Json::decode));
      functions.put("cjson.encode_max_depth", of(Json::encodeMaxDepth));
      functions.put("cjson.decode_max_depth", of(Json::decodeMaxDepth));
      functions.put("cjson.encode_number_precision", of(Json::encodeNumberPrecision));
      functions.put("cjson.encode_keep_buffer", of(Json::encodeKeepBuffer));
      functions.put("cjson.encode_invalid_numbers", of(Json::encodeInvalidNumbers));
      functions.put("cjson.decode_invalid_numbers", of(Json::decodeInvalidNumbers));
      functions.put("cjson.encode_sparse_array", of(Json::encodeSparseArray));
    }
  }

  private int encodeMaxDepth(Stack stack) {
    deepest = integer(stack, 1, deepest, 1, "encode_max_depth");
    stack.push((double) deepest);
    return 1;
  }

  private int decodeMaxDepth(Stack stack) {
    deepestRead = integer(stack, 1, deepestRead, 1, "decode_max_depth");
    stack.push((double) deepestRead);
    return 1;
  }

  private int encodeNumberPrecision(Stack stack) {
    if (!stack.isMissing(1)) {
      double value = stack.checkNumber(1, "encode_number_precision");
      if (value < 1 || value > 14) {
        throw new LuaError(
            "bad argument #1 to 'encode_number_precision' (expected integer between 1 and 14)");
      }
      precision = (int) value;
    }
    stack.push((double) precision);
    return 1;
  }

  private int encodeKeepBuffer(Stack stack) {
    keepsBuffer = stack.isMissing(1) ? keepsBuffer : isOn(stack);
    stack.push(keepsBuffer);
    return 1;
  }

  private int encodeInvalidNumbers(Stack stack) {
    invalidNumbers = word(stack, invalidNumbers);
    return show(stack, invalidNumbers);
  }

  private int decodeInvalidNumbers(Stack stack) {
    invalidRead = word(stack, invalidRead);
    return show(stack, invalidRead);
  }

  private int encodeSparseArray(Stack stack) {
    convertsSparse = stack.isMissing(1) ? convertsSparse : isOn(stack);
    sparseRatio = integer(stack, 2, sparseRatio, 0, "encode_sparse_array");
    sparseSafe = integer(stack, 3, sparseSafe, 0, "encode_sparse_array");
    stack.push(convertsSparse);
    stack.push((double) sparseRatio);
    stack.push((double) sparseSafe);
    return 3;
  }

  private static int integer(Stack stack, int n, int before, int least, String function) {
    if (stack.isMissing(n)) {
      return before;
    }
    double value = stack.checkNumber(n, function);
    if (value < least || value > Integer.MAX_VALUE) {
      throw new LuaError(
          "bad argument #%d to '%s' (expected integer between %d and %d)"
              .formatted(n, function, least, Integer.MAX_VALUE));
    }
    return (int) value;
  }

  private static boolean isOn(Stack stack) {
    return stack.isText(1) ? stack.text(1).equals("on") : stack.truth(1);
  }

  private static String word(Stack stack, String before) {
    if (stack.isMissing(1)) {
      return before;
    }
    return stack.isText(1) ? stack.text(1) : stack.truth(1) ? "on" : "off";
  }

  private static int show(Stack stack, String word) {
    if (word.equals("null")) {
      stack.push(word);
    } else {
      stack.push(word.equals("on"));
    }
    return 1;
  }

  private int encode(Stack stack) {
    if (stack.top() != 1) {
      throw new LuaError("bad argument #1 to 'encode' (expected 1 argument)");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, stack, 0);
    stack.push(out.toByteArray());
    return 1;
  }

  private static void ascii(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Writes the top of the stack. */
  private void write(ByteArrayOutputStream out, Stack stack, int depth) {
    switch (stack.type(-1)) {
      case Stack.STRING -> string(out, stack);
      case Stack.NUMBER -> number(out, stack.number(-1));
      case Stack.BOOLEAN -> ascii(out, stack.truth(-1) ? "true" : "false");
      case Stack.NIL -> ascii(out, "null");
      case Stack.TABLE -> {
        if (depth + 1 > deepest) {
          throw new LuaError("Cannot serialise, excessive nesting (%d)".formatted(depth + 1));
        }
        table(out, stack, depth + 1);
      }
      default -> {
        if (stack.type(-1) != Stack.LIGHT || stack.pointer(-1) != 0) {
          throw new LuaError(
              "Cannot serialise %s: type not supported".formatted(stack.typeName(-1)));
        }
        ascii(out, "null");
      }
    }
  }

  private static void string(ByteArrayOutputStream out, Stack stack) {
    byte[] text = stack.bytes(-1);
    stack.require(out.size() + (long) text.length);
    out.write('"');
    for (byte each : text) {
      int c = each & 0xff;
      int at = "\"\\/\b\f\n\r\t".indexOf(c);
      if (at >= 0) {
        out.write('\\');
        out.write("\"\\/bfnrt".charAt(at));
      } else if (c < ' ' || c == 0x7f) {
        ascii(out, "\\u%04x".formatted(c));
      } else {
        out.write(c);
      }
    }
    out.write('"');
  }

  private void number(ByteArrayOutputStream out, double value) {
    boolean invalid = Double.isNaN(value) || Double.isInfinite(value);
    if (invalid && invalidNumbers.equals("off")) {
      throw new LuaError("Cannot serialise number: must not be NaN or Inf");
    }
    if (invalid && invalidNumbers.equals("null")) {
      ascii(out, "null");
    } else {
      ascii(out, Double.isNaN(value) ? "nan" : Formats.general(value, precision));
    }
  }

  /** The largest index of the list on top; -1 if there are other keys, or too few for a list. */
  private int length(Stack stack) {
    int table = stack.top();
    double largest = 0;
    long count = 0;
    stack.nil();
    while (stack.next(table)) {
      stack.pop(1);
      double key = stack.type(-1) == Stack.NUMBER ? stack.number(-1) : 0;
      if (key < 1 || Math.floor(key) != key) {
        stack.pop(1);
        return -1;
      }
      largest = Math.max(largest, key);
      count++;
    }
    if (sparseRatio > 0 && largest > (double) count * sparseRatio && largest > sparseSafe) {
      if (!convertsSparse) {
        throw new LuaError("Cannot serialise table: excessively sparse array");
      }
      return -1;
    }
    return (int) largest;
  }

  private void table(ByteArrayOutputStream out, Stack stack, int depth) {
    stack.require(out.size());
    stack.reserve(4);
    int table = stack.top();
    int length = length(stack);
    if (length > 0) {
      for (int i = 1; i <= length; i++) {
        out.write(i == 1 ? '[' : ',');
        stack.get(table, i);
        write(out, stack, depth);
        stack.pop(1);
        if (out.size() % 4096 == 0) {
          stack.require(out.size());
        }
      }
      out.write(']');
      return;
    }
    out.write('{');
    boolean first = true;
    stack.nil();
    while (stack.next(table)) {
      if (!first) {
        out.write(',');
      }
      first = false;
      switch (stack.type(-2)) {
        case Stack.STRING -> {
          stack.copy(-2);
          string(out, stack);
          stack.pop(1);
        }
        case Stack.NUMBER -> {
          out.write('"');
          number(out, stack.number(-2));
          out.write('"');
        }
        default ->
            throw new LuaError(
                "Cannot serialise %s: table key must be a number or string"
                    .formatted(stack.typeName(-2)));
      }
      out.write(':');
      write(out, stack, depth);
      stack.pop(1);
    }
    out.write('}');
  }

  private int decode(Stack stack) {
    if (stack.top() != 1) {
      throw new LuaError("bad argument #1 to 'decode' (expected 1 argument)");
    }
    byte[] text = stack.checkBytes(1, "decode");
    new JsonReader(text, deepestRead, !invalidRead.equals("off"), stack).whole();
    return 1;
  }
}

package io.kvstadium.server.redis.script;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaUserdata;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The library {@code cjson}, with the settings of one interpreter. */
final class Json {
  private static final LuaValue NULL =
      new LuaUserdata("null") {
        @Override
        public String tojstring() {
          return "userdata: NULL";
        }
      };

  private boolean convertsSparse;
  private int sparseRatio = 2;
  private int sparseSafe = 10;
  private int deepest = 1_000;
  private int deepestRead = 1_000;
  private int precision = 14;
  private String invalidNumbers = "off";
  private String invalidRead = "on";
  private boolean keepsBuffer = true;

  Protected library() {
    Protected table = new Protected();
    table.define("null", NULL);
    table.define("_NAME", LuaValue.valueOf("cjson"));
    table.define("_VERSION", LuaValue.valueOf("2.1.0"));
    table.define("encode", Library.function(this::encode));
    table.define("decode", Library.function(this::decode));
    table.define("new", Library.function(_ -> new Json().library()));
    table.define(
        "encode_max_depth",
        Library.function(args -> {
          deepest = integer(args, 1, deepest, 1, Integer.MAX_VALUE);
          return LuaValue.valueOf(deepest);
        }));
    table.define(
        "decode_max_depth",
        Library.function(args -> {
          deepestRead = integer(args, 1, deepestRead, 1, Integer.MAX_VALUE);
          return LuaValue.valueOf(deepestRead);
        }));
    table.define(
        "encode_number_precision",
        Library.function(args -> {
          precision = integer(args, 1, precision, 1, 14);
          return LuaValue.valueOf(precision);
        }));
    table.define(
        "encode_keep_buffer",
        Library.function(args -> {
          keepsBuffer = args.isnoneornil(1) ? keepsBuffer : isOn(args);
          return LuaValue.valueOf(keepsBuffer);
        }));
    table.define(
        "encode_invalid_numbers",
        Library.function(args -> {
          invalidNumbers = word(args, invalidNumbers);
          return shown(invalidNumbers);
        }));
    table.define(
        "decode_invalid_numbers",
        Library.function(args -> {
          invalidRead = word(args, invalidRead);
          return shown(invalidRead);
        }));
    table.define(
        "encode_sparse_array",
        Library.function(args -> {
          convertsSparse = args.isnoneornil(1) ? convertsSparse : isOn(args);
          sparseRatio = integer(args, 2, sparseRatio, 0, Integer.MAX_VALUE);
          sparseSafe = integer(args, 3, sparseSafe, 0, Integer.MAX_VALUE);
          return LuaValue.varargsOf(
              LuaValue.valueOf(convertsSparse),
              LuaValue.valueOf(sparseRatio),
              LuaValue.valueOf(sparseSafe));
        }));
    return table;
  }

  private static int integer(Varargs args, int n, int before, int least, int most) {
    if (args.isnoneornil(n)) {
      return before;
    }
    double value = args.checkdouble(n);
    if (value < least || value > most) {
      throw new LuaError(
          "bad argument #%d (expected integer between %d and %d)".formatted(n, least, most));
    }
    return (int) value;
  }

  private static boolean isOn(Varargs args) {
    return args.isstring(1) ? args.tojstring(1).equals("on") : args.arg1().toboolean();
  }

  private static String word(Varargs args, String before) {
    if (args.isnoneornil(1)) {
      return before;
    }
    return args.isstring(1) ? args.tojstring(1) : args.arg1().toboolean() ? "on" : "off";
  }

  private static LuaValue shown(String word) {
    return word.equals("null") ? LuaValue.valueOf(word) : LuaValue.valueOf(word.equals("on"));
  }

  private LuaValue encode(Varargs args) {
    if (args.narg() != 1) {
      throw new LuaError("bad argument #1 to 'encode' (expected 1 argument)");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, args.arg1(), 0);
    return LuaString.valueUsing(out.toByteArray());
  }

  private static void ascii(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  @SuppressWarnings("ReferenceEquality") // there is one null
  private void write(ByteArrayOutputStream out, LuaValue value, int depth) {
    switch (value.type()) {
      case LuaValue.TSTRING -> string(out, (LuaString) value);
      case LuaValue.TNUMBER -> number(out, value.todouble());
      case LuaValue.TBOOLEAN -> ascii(out, value.toboolean() ? "true" : "false");
      case LuaValue.TNIL -> ascii(out, "null");
      case LuaValue.TTABLE -> {
        if (depth + 1 > deepest) {
          throw new LuaError("Cannot serialise, excessive nesting (%d)".formatted(depth + 1));
        }
        table(out, (LuaTable) value, depth + 1);
      }
      default -> {
        if (value != NULL) {
          throw new LuaError("Cannot serialise %s: type not supported".formatted(value.typename()));
        }
        ascii(out, "null");
      }
    }
  }

  private static void string(ByteArrayOutputStream out, LuaString text) {
    out.write('"');
    for (int i = 0; i < text.m_length; i++) {
      int c = text.luaByte(i);
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
    String text = Formats.general(value, precision);
    ascii(
        out,
        !invalid ? text : invalidNumbers.equals("null") ? "null" : text.replace("-nan", "nan"));
  }

  /** The largest index of a list; -1 if there are other keys, or too few for a list. */
  private int length(LuaTable table) {
    double largest = 0;
    long count = 0;
    for (Varargs each = table.next(LuaValue.NIL);
        !each.arg1().isnil();
        each = table.next(each.arg1())) {
      double key = each.arg1().type() == LuaValue.TNUMBER ? each.arg1().todouble() : 0;
      if (key < 1 || Math.floor(key) != key) {
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

  private void table(ByteArrayOutputStream out, LuaTable table, int depth) {
    int length = length(table);
    if (length > 0) {
      for (int i = 1; i <= length; i++) {
        out.write(i == 1 ? '[' : ',');
        write(out, table.rawget(i), depth);
      }
      out.write(']');
      return;
    }
    out.write('{');
    boolean first = true;
    for (Varargs each = table.next(LuaValue.NIL);
        !each.arg1().isnil();
        each = table.next(each.arg1())) {
      if (!first) {
        out.write(',');
      }
      first = false;
      if (each.arg1() instanceof LuaString name) {
        string(out, name);
      } else if (each.arg1().type() == LuaValue.TNUMBER) {
        out.write('"');
        number(out, each.arg1().todouble());
        out.write('"');
      } else {
        throw new LuaError(
            "Cannot serialise %s: table key must be a number or string"
                .formatted(each.arg1().typename()));
      }
      out.write(':');
      write(out, each.arg(2), depth);
    }
    out.write('}');
  }

  private LuaValue decode(Varargs args) {
    if (args.narg() != 1) {
      throw new LuaError("bad argument #1 to 'decode' (expected 1 argument)");
    }
    JsonReader in =
        new JsonReader(args.checkstring(1), deepestRead, !invalidRead.equals("off"), NULL);
    return in.whole();
  }
}

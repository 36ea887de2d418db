package io.kvstadium.server.redis.script;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;
import org.luaj.vm2.lib.jse.JseBaseLib;
import org.luaj.vm2.lib.jse.JseMathLib;

/**
 * The functions of Lua 5.1 that Redis offers: LuaJ's, which are those of 5.2, changed and
 * completed. There are no coroutines, which LuaJ makes of threads, and neither setfenv nor getfenv.
 */
final class Library {
  private static final Pattern SYMBOL = Pattern.compile(" (\\d+) \\((.)\\)$", Pattern.DOTALL);

  /** What LuaJ's lexer numbers from {@link #FIRST_WORD} on. */
  private static final List<String> WORDS =
      List.of(
          ("and break do else elseif end false for function goto if in local nil not or repeat"
                  + " return then true until while .. ... == >= <= ~= :: <eof>")
              .split(" "));

  private static final int FIRST_WORD = 257;

  /** The longest string that a function makes: as long as Redis' longest value. */
  private static final long LONGEST = 512 << 20;

  private static final String BASE =
      "assert getmetatable ipairs next pairs rawequal rawget rawset select setmetatable"
          + " tostring type";

  /** Where an error was thrown, its message, and the line end that {@link Hook} adds. */
  private static final Pattern POSITION =
      Pattern.compile("@?([^\\n]*?):(\\d+) (.*)\\n", Pattern.DOTALL);

  /** Strings of all interpreters share the functions, since LuaJ has one metatable for them. */
  private static final Protected STRINGS = strings();

  private Library() {}

  /** A function. */
  static LuaValue function(Function<Varargs, Varargs> body) {
    return new VarArgFunction() {
      @Override
      public Varargs invoke(Varargs args) {
        return body.apply(args);
      }
    };
  }

  /** Copies functions of LuaJ. */
  private static Protected copy(LuaValue from, String names) {
    Protected table = new Protected();
    for (String name : names.split(" ")) {
      table.define(name, from.get(name));
    }
    return table;
  }

  private static Globals original() {
    Globals all = new Globals();
    LuaTable packages = new LuaTable();
    packages.set("loaded", new LuaTable());
    all.set("package", packages);
    all.load(new JseBaseLib());
    all.load(new TableLib());
    all.load(new StringLib());
    all.load(new JseMathLib());
    return all;
  }

  private static Protected strings() {
    Protected table =
        copy(
            original().get("string"),
            "byte char dump find gmatch gsub len lower match reverse sub upper");
    table.define("gfind", table.get("gmatch"));
    table.define("format", function(Formats::format));
    table.define("rep", function(Library::repeat));
    table.lock();
    Protected meta = new Protected();
    meta.define("__index", table);
    meta.lock();
    LuaString.s_metatable = meta;
    return table;
  }

  private static LuaValue repeat(Varargs args) {
    LuaString text = args.checkstring(1);
    double times = args.checkdouble(2);
    if (!(times >= 1) || text.m_length == 0) {
      return LuaValue.EMPTYSTRING;
    }
    if (times * text.m_length > LONGEST) {
      throw new LuaError("resulting string too large");
    }
    byte[] all = new byte[((int) times) * text.m_length];
    for (int i = 0; i < all.length; i += text.m_length) {
      System.arraycopy(text.m_bytes, text.m_offset, all, i, text.m_length);
    }
    return LuaString.valueUsing(all);
  }

  /** Adds everything but what is Redis' own. */
  static void install(Protected globals, Hook hook) {
    Globals all = original();
    for (String name : BASE.split(" ")) {
      globals.define(name, all.get(name));
    }
    LuaValue toNumber = all.get("tonumber");
    globals.define("tonumber", function(args -> number(args, toNumber)));
    globals.define("_G", globals);
    globals.define("_VERSION", LuaValue.valueOf("Lua 5.1"));
    globals.define("string", STRINGS);
    globals.define("math", math(all.get("math")));
    globals.define("table", tables(all.get("table")));
    globals.define("unpack", function(args -> unpack(args)));
    globals.define("collectgarbage", function(_ -> LuaValue.ZERO)); // Java has its own
    globals.define("gcinfo", function(_ -> LuaValue.ZERO));
    globals.define("error", function(args -> error(args, hook)));
    globals.define("pcall", function(args -> attempt(args, args.subargs(2), null)));
    globals.define("xpcall", function(args -> attempt(args, LuaValue.NONE, args.checkfunction(2))));
    globals.define(
        "loadstring",
        function(args -> load(args.checkstring(1), args.optjstring(2, null), globals)));
    globals.define(
        "load", function(args -> load(pieces(args), args.optjstring(2, "=(load)"), globals)));
  }

  /** {@code tonumber}, which in C also reads what scores may be. */
  private static Varargs number(Varargs args, LuaValue usual) {
    LuaValue found = usual.call(args.checkvalue(1), args.arg(2));
    if (!found.isnil() || !args.isstring(1) || !args.isnoneornil(2)) {
      return found;
    }
    String word = args.tojstring(1).strip().toLowerCase(Locale.ROOT);
    return switch (word) {
      case "inf", "+inf", "infinity", "+infinity" -> LuaValue.valueOf(Double.POSITIVE_INFINITY);
      case "-inf", "-infinity" -> LuaValue.valueOf(Double.NEGATIVE_INFINITY);
      case "nan", "+nan", "-nan" -> LuaValue.valueOf(Double.NaN);
      default -> LuaValue.NIL;
    };
  }

  private static Protected math(LuaValue from) {
    Protected table =
        copy(
            from,
            "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp max min"
                + " modf pi pow rad sin sinh sqrt tan tanh");
    table.define("mod", table.get("fmod"));
    table.define("log", function(args -> LuaValue.valueOf(Math.log(args.checkdouble(1)))));
    table.define("log10", function(args -> LuaValue.valueOf(Math.log10(args.checkdouble(1)))));
    return table;
  }

  private static Protected tables(LuaValue from) {
    Protected table = copy(from, "concat insert remove sort");
    table.define("getn", function(args -> LuaValue.valueOf(args.checktable(1).rawlen())));
    table.define(
        "maxn",
        function(args -> {
          double largest = 0;
          LuaTable of = args.checktable(1);
          for (Varargs each = of.next(LuaValue.NIL);
              !each.arg1().isnil();
              each = of.next(each.arg1())) {
            if (each.arg1().type() == LuaValue.TNUMBER) {
              largest = Math.max(largest, each.arg1().todouble());
            }
          }
          return LuaValue.valueOf(largest);
        }));
    table.define(
        "foreach",
        function(args -> {
          LuaTable of = args.checktable(1);
          for (Varargs each = of.next(LuaValue.NIL);
              !each.arg1().isnil();
              each = of.next(each.arg1())) {
            LuaValue found = args.arg(2).call(each.arg1(), each.arg(2));
            if (!found.isnil()) {
              return found;
            }
          }
          return LuaValue.NONE;
        }));
    table.define(
        "foreachi",
        function(args -> {
          LuaTable of = args.checktable(1);
          for (int i = 1; i <= of.rawlen(); i++) {
            LuaValue found = args.arg(2).call(LuaValue.valueOf(i), of.rawget(i));
            if (!found.isnil()) {
              return found;
            }
          }
          return LuaValue.NONE;
        }));
    return table;
  }

  private static Varargs unpack(Varargs args) {
    LuaTable of = args.checktable(1);
    double from = args.optdouble(2, 1);
    double to = args.isnoneornil(3) ? of.rawlen() : args.checkdouble(3);
    if (to - from >= 8_000 - 1) { // as many as Lua's stack has
      throw new LuaError("too many results to unpack");
    }
    LuaValue[] values = new LuaValue[(int) Math.max(0, to - from + 1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = of.get((int) from + i);
    }
    return LuaValue.varargsOf(values);
  }

  private static Varargs error(Varargs args, Hook hook) {
    LuaValue what = args.arg1();
    int level = args.optint(2, 1);
    if (level > 0 && what.isstring() && hook.line(level) > 0) {
      what = LuaValue.valueOf(Interpreter.NAME + ":" + hook.line(level) + ": ").concat(what);
    }
    throw new LuaError(what);
  }

  /** {@code pcall}, and {@code xpcall} with a handler. */
  private static Varargs attempt(Varargs args, Varargs arguments, @Nullable LuaValue handler) {
    try {
      return LuaValue.varargsOf(LuaValue.TRUE, args.checkvalue(1).invoke(arguments));
    } catch (LuaError e) {
      LuaValue caught = thrown(e);
      if (handler != null) {
        return LuaValue.varargsOf(LuaValue.FALSE, handler.call(caught));
      }
      LuaValue text = caught.istable() ? caught.rawget(LuaValue.valueOf("err")) : LuaValue.NIL;
      return LuaValue.varargsOf(LuaValue.FALSE, text.isstring() ? text : caught);
    } catch (RuntimeException e) { // of a function that was called directly
      return LuaValue.varargsOf(LuaValue.FALSE, LuaValue.valueOf(String.valueOf(e.getMessage())));
    }
  }

  /** What was thrown: a value, or the message with its position as Lua words it. */
  static LuaValue thrown(LuaError error) {
    LuaValue value = error.getMessageObject();
    if (value == null) {
      return LuaValue.NIL;
    }
    if (!value.isstring() || !value.tojstring().equals(error.getMessage())) {
      return value;
    }
    Matcher parts = POSITION.matcher(value.tojstring());
    return parts.matches()
        ? LuaValue.valueOf(parts.group(1) + ":" + parts.group(2) + ": " + worded(parts.group(3)))
        : LuaValue.valueOf(worded(value.tojstring()));
  }

  /** The line in which an error was thrown, or 0. */
  static int line(LuaError error) {
    Matcher parts = POSITION.matcher(String.valueOf(error.getMessage()));
    return parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
  }

  /** The words of Lua for what LuaJ says otherwise. */
  private static String worded(String message) {
    return message
        .replaceFirst(
            "^(attempt to perform arithmetic) __\\w+ on (?:number and )?(\\w+).*$", "$1 on $2")
        .replaceFirst("^(attempt to (?:call|perform arithmetic on)) (\\w+)$", "$1 a $2 value");
  }

  private static LuaString pieces(Varargs args) {
    LuaValue next = args.checkfunction(1);
    LuaValue all = LuaValue.EMPTYSTRING;
    for (LuaValue piece = next.call();
        !piece.isnil() && piece.checkstring().m_length > 0;
        piece = next.call()) {
      all = all.concat(piece);
      if (all.checkstring().m_length > LONGEST) {
        throw new LuaError("chunk too long");
      }
    }
    return all.checkstring();
  }

  private static Varargs load(LuaString source, @Nullable String name, Protected globals) {
    try {
      String chunk = name == null ? source.tojstring() : name;
      return new LuaClosure(
          compile(source.m_bytes, source.m_offset, source.m_length, chunk), globals);
    } catch (ScriptException e) {
      return LuaValue.varargsOf(LuaValue.NIL, LuaValue.valueOf(e.text()));
    }
  }

  /**
   * Compiles source text; what {@code string.dump} makes is none.
   *
   * @throws ScriptException if it is wrong
   */
  static Prototype compile(byte[] source, int offset, int length, String name) {
    try {
      if (length > 0 && source[offset] == '#') {
        throw new LuaError(Interpreter.NAME + ":1: unexpected symbol near '#'"); // else a comment
      }
      return LuaC.instance.compile(new ByteArrayInputStream(source, offset, length), name);
    } catch (IOException | RuntimeException e) { // also of LuaJ, on what it does not expect
      throw new ScriptException(named(String.valueOf(e.getMessage())), false);
    } catch (StackOverflowError e) {
      throw new ScriptException(Interpreter.NAME + ": chunk has too many syntax levels", false);
    }
  }

  /** A message with the symbol that LuaJ has as a number. */
  private static String named(String message) {
    return SYMBOL
        .matcher(message.replace("<eos>", "<eof>"))
        .replaceFirst(found -> {
          int number = Integer.parseInt(found.group(1));
          int word = number - FIRST_WORD;
          return word < 0
              ? " near '$2'"
              : word < WORDS.size() ? " near '" + WORDS.get(word) + "'" : "";
        });
  }
}

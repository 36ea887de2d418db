package io.kvstadium.server.redis.script;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;

/**
 * A Lua interpreter. It keeps nothing from one script to the next: globals cannot be changed.
 *
 * <p>{@link Corrections#apply} must be called before this class is used.
 */
public final class Interpreter {
  /** The name of all scripts in messages. */
  static final String NAME = "user_script";

  private static final String VERSION = "7.0.15";
  private static final int VERSION_NUMBER = 0x0007_000f;
  private static final LuaString OK = LuaValue.valueOf("ok");
  static final LuaString ERR = LuaValue.valueOf("err");

  /** In a table of a command's error: it was counted already. */
  private static final LuaString COUNTED = LuaValue.valueOf("ignore_error_stats_update");

  private static final LuaTable NO_VALUES = new LuaTable();

  private final Hook hook = new Hook();
  private final Protected globals = new Protected();
  private long random = ThreadLocalRandom.current().nextLong();
  private @Nullable Host host;
  private int protocol;

  /** A new interpreter, in its initial state. */
  public Interpreter() {
    Library.install(globals, hook);
    Protected math = (Protected) globals.get("math");
    math.define("random", Library.function(this::random));
    math.define(
        "randomseed",
        Library.function(args -> {
          random = ((long) (int) args.checkdouble(1) << 16) + 0x330e;
          return LuaValue.NONE;
        }));
    globals.define("redis", redis());
    globals.define("bit", Bits.library());
    globals.define("cjson", new Json().library());
    globals.define("cmsgpack", MessagePack.library());
    globals.define("struct", Struct.library());
    globals.define("KEYS", NO_VALUES);
    globals.define("ARGV", NO_VALUES);
    Protected meta = new Protected();
    meta.define(
        "__index",
        Library.function(args -> {
          throw new LuaError(
              "Script attempted to access nonexistent global variable '" + args.tojstring(2) + "'");
        }));
    meta.lock();
    globals.setmetatable(meta);
    for (Varargs each = globals.next(LuaValue.NIL);
        !each.arg1().isnil();
        each = globals.next(each.arg1())) {
      if (each.arg(2) instanceof Protected table) {
        table.lock();
      }
    }
    globals.debuglib = hook;
  }

  /**
   * Compiles a script.
   *
   * @return for {@link #run}; may be shared by interpreters
   * @throws ScriptException if it is wrong
   */
  public static Object compile(byte[] source, int offset) {
    return Library.compile(source, offset, source.length - offset, "@" + NAME);
  }

  /**
   * Runs a script.
   *
   * @param compiled by {@link #compile}
   * @param name for messages
   * @return what it returns, as {@link Results} describes
   * @throws ScriptException if it fails
   */
  public @Nullable Object run(
      Object compiled, String name, byte[][] keys, byte[][] arguments, Host by) {
    host = by;
    protocol = 2;
    hook.begin(by);
    globals.define("KEYS", list(keys));
    globals.define("ARGV", list(arguments));
    try {
      LuaValue result = new LuaClosure((Prototype) compiled, globals).call();
      return Results.of(result, protocol == 3, 0);
    } catch (LuaError e) {
      throw failure(e, name);
    } catch (StackOverflowError e) {
      throw new ScriptException(
          "ERR stack overflow script: " + name + ", on @" + NAME + ".", false);
    } finally {
      host = null;
      globals.define("KEYS", NO_VALUES);
      globals.define("ARGV", NO_VALUES);
    }
  }

  private ScriptException failure(LuaError error, String name) {
    LuaValue thrown = Library.thrown(error);
    int line = Library.line(error);
    int known = line == 0 ? hook.line(1) : line;
    boolean isTable = thrown.istable();
    LuaValue text = isTable ? thrown.rawget(ERR) : thrown;
    String said = text.tojstring();
    if (line == 0 && !isTable && !said.startsWith(NAME + ":")) { // thrown in a tail call
      said = NAME + ":" + known + ": " + said;
    }
    String message = isTable ? "ERR unknown error" : "ERR " + said;
    if (isTable && text.isstring()) {
      message = text.tojstring();
    }
    return new ScriptException(
        "%s script: %s, on @%s:%d.".formatted(message, name, NAME, known),
        isTable && thrown.rawget(COUNTED).toboolean());
  }

  /** The script was ended from outside. */
  public String position() {
    return NAME + ":" + hook.line(1);
  }

  private static LuaTable list(byte[][] words) {
    LuaTable list = new LuaTable(words.length, 0);
    for (int i = 0; i < words.length; i++) {
      list.rawset(i + 1, LuaString.valueUsing(words[i]));
    }
    return list;
  }

  private Protected redis() {
    Protected table = new Protected();
    table.define("call", Library.function(args -> call(args, true)));
    table.define("pcall", Library.function(args -> call(args, false)));
    table.define("error_reply", Library.function(Interpreter::errorReply));
    table.define("status_reply", Library.function(args -> field(args, OK)));
    table.define("sha1hex", Library.function(Interpreter::sha1));
    table.define("setresp", Library.function(this::setProtocol));
    table.define("log", Library.function(this::log));
    table.define("acl_check_cmd", Library.function(this::allows));
    table.define("set_repl", Library.function(Interpreter::replicate));
    table.define("replicate_commands", Library.function(_ -> LuaValue.TRUE));
    table.define("breakpoint", Library.function(_ -> LuaValue.FALSE));
    table.define("debug", Library.function(_ -> LuaValue.NONE));
    table.define("REDIS_VERSION", LuaValue.valueOf(VERSION));
    table.define("REDIS_VERSION_NUM", LuaValue.valueOf(VERSION_NUMBER));
    String[] levels = {"DEBUG", "VERBOSE", "NOTICE", "WARNING"};
    for (int i = 0; i < levels.length; i++) {
      table.define("LOG_" + levels[i], LuaValue.valueOf(i));
    }
    table.define("REPL_NONE", LuaValue.valueOf(0));
    table.define("REPL_AOF", LuaValue.valueOf(1));
    table.define("REPL_SLAVE", LuaValue.valueOf(2));
    table.define("REPL_REPLICA", LuaValue.valueOf(2));
    table.define("REPL_ALL", LuaValue.valueOf(3));
    return table;
  }

  private Host host() {
    return Objects.requireNonNull(host, "no script runs");
  }

  private Varargs call(Varargs args, boolean raises) {
    byte[][] request = words(args, raises);
    if (request.length == 0) {
      return error("Lua redis lib command arguments must be strings or integers");
    }
    ByteBuf reply = host().call(request, protocol);
    boolean failed = reply.getByte(reply.readerIndex()) == '-';
    LuaValue value = RespReader.read(reply);
    if (failed) {
      value.set(COUNTED, LuaValue.TRUE);
      if (raises) {
        throw new LuaError(value);
      }
    }
    return value;
  }

  /** The arguments of a command; none if some are neither strings nor numbers. */
  private static byte[][] words(Varargs args, boolean raises) {
    int count = args.narg();
    if (count == 0) {
      throw new LuaError(error("Please specify at least one argument for this redis lib call"));
    }
    byte[][] words = new byte[count][];
    for (int i = 0; i < count; i++) {
      LuaValue each = args.arg(i + 1);
      if (each instanceof LuaString text) {
        words[i] = Formats.bytes(text);
      } else if (each.type() == LuaValue.TNUMBER) {
        words[i] = Formats.general(each.todouble(), 17).getBytes(StandardCharsets.ISO_8859_1);
      } else if (raises) {
        throw new LuaError(error("Lua redis lib command arguments must be strings or integers"));
      } else {
        return new byte[0][];
      }
    }
    return words;
  }

  /** An error as scripts see it; a text without a code gets one. */
  static LuaTable error(String text) {
    LuaTable table = new LuaTable();
    table.rawset(ERR, LuaValue.valueOf("ERR " + text));
    return table;
  }

  private static Varargs errorReply(Varargs args) {
    if (args.narg() != 1 || args.arg1().type() != LuaValue.TSTRING) {
      return error("wrong number or type of arguments");
    }
    String text = args.tojstring(1).replaceFirst("^-", "");
    LuaTable table = new LuaTable();
    int space = text.indexOf(' ');
    String message =
        (space < 0 ? text : text.substring(space + 1)).replaceAll("^[\r\n]+|[\r\n]+$", "");
    table.rawset(
        ERR, LuaValue.valueOf((space < 0 ? "ERR" : text.substring(0, space)) + " " + message));
    return table;
  }

  private static Varargs field(Varargs args, LuaString name) {
    if (args.narg() != 1 || args.arg1().type() != LuaValue.TSTRING) {
      return error("wrong number or type of arguments");
    }
    LuaTable table = new LuaTable();
    table.rawset(name, args.arg1());
    return table;
  }

  private static Varargs sha1(Varargs args) {
    if (args.narg() != 1) {
      throw new LuaError(error("wrong number of arguments"));
    }
    return LuaValue.valueOf(sha1(Formats.bytes(args.checkstring(1)), 0));
  }

  /** The name of a script: its SHA-1 in lower-case hexadecimal digits. */
  public static String sha1(byte[] source, int offset) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(source, offset, source.length - offset);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  private Varargs setProtocol(Varargs args) {
    if (args.narg() != 1) {
      throw new LuaError(error("redis.setresp() requires one argument."));
    }
    double wanted = args.arg1().todouble();
    if (wanted != 2 && wanted != 3) {
      throw new LuaError(error("RESP version must be 2 or 3."));
    }
    protocol = (int) wanted;
    return LuaValue.NONE;
  }

  private Varargs log(Varargs args) {
    if (args.narg() < 2) {
      throw new LuaError(error("redis.log() requires two arguments or more."));
    }
    if (!args.arg1().isnumber()) {
      throw new LuaError(error("First argument must be a number (log level)."));
    }
    int level = args.arg1().toint();
    if (level < 0 || level > 3) {
      throw new LuaError(error("Invalid debug level."));
    }
    StringBuilder message = new StringBuilder();
    for (int i = 2; i <= args.narg(); i++) {
      if (args.isstring(i)) {
        message.append(i == 2 ? "" : " ").append(args.tojstring(i));
      }
    }
    host().log(level, message.toString());
    return LuaValue.NONE;
  }

  private Varargs allows(Varargs args) {
    try {
      return LuaValue.valueOf(host().allows(words(args, true)));
    } catch (ScriptException e) {
      throw new LuaError(error(e.text()));
    }
  }

  private static Varargs replicate(Varargs args) {
    if (args.narg() != 1) {
      throw new LuaError(error("redis.set_repl() requires two arguments."));
    }
    if ((args.arg1().toint() & ~3) != 0) {
      throw new LuaError(
          error("Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE."));
    }
    return LuaValue.NONE;
  }

  /** As Redis does it, so that a seed has the same effect: {@code lrand48}. */
  private Varargs random(Varargs args) {
    random = (random * 0x5DEECE66DL + 0xB) & ((1L << 48) - 1);
    double part = (random >> 17) % Integer.MAX_VALUE / (double) Integer.MAX_VALUE;
    int count = args.narg();
    if (count > 2) {
      throw new LuaError("wrong number of arguments");
    } else if (count == 0) {
      return LuaValue.valueOf(part);
    }
    double from = count == 1 ? 1 : args.checkint(1);
    double to = args.checkint(count);
    if (from > to) {
      throw new LuaError("bad argument #%d to 'random' (interval is empty)".formatted(count));
    }
    return LuaValue.valueOf(Math.floor(part * (to - from + 1)) + from);
  }
}

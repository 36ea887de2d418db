package io.kvstadium.lua;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The library {@code redis}, for the host of the script that runs. */
final class Redis {
  static final String VERSION = "7.0.15";
  static final int VERSION_NUMBER = 0x0007_000f;

  /** In a table of a command's error: it was counted already. */
  static final String COUNTED = "ignore_error_stats_update";

  private static final String NO_WORDS =
      "Lua redis lib command arguments must be strings or integers";

  private @Nullable Host host;
  private int protocol = 2;

  void begin(Host now) {
    host = now;
    protocol = 2;
  }

  void end() {
    host = null;
  }

  boolean resp3() {
    return protocol == 3;
  }

  void define(Map<String, Function> functions) {
    functions.put("redis.call", stack -> call(stack, true));
    functions.put("redis.pcall", stack -> call(stack, false));
    functions.put("redis.error_reply", Redis::errorReply);
    functions.put("redis.status_reply", Redis::statusReply);
    functions.put("redis.sha1hex", Redis::sha1);
    functions.put("redis.setresp", this::setProtocol);
    functions.put("redis.log", this::log);
    functions.put("redis.acl_check_cmd", this::allows);
    functions.put("redis.set_repl", Redis::replicate);
  }

  private Host host() {
    return Objects.requireNonNull(host, "no script runs");
  }

  private static LuaError error(String text) {
    return new LuaError(text, LuaError.Kind.TABLE);
  }

  private static int errorTable(Stack stack, String text) {
    stack.table(0, 1);
    stack.push(text);
    stack.set("err");
    return 1;
  }

  private int call(Stack stack, boolean raises) {
    byte[][] request = words(stack, raises);
    if (request == null) {
      return errorTable(stack, "ERR " + NO_WORDS);
    }
    ByteBuffer reply = host().call(request, protocol);
    boolean failed = reply.get(reply.position()) == '-';
    stack.top(0);
    new RespReader(reply, stack).read();
    if (failed) {
      stack.push(true);
      stack.set(COUNTED);
      if (raises) {
        throw new LuaError("", LuaError.Kind.TOP);
      }
    }
    return 1;
  }

  /** The arguments of a command; {@code null} if some are neither strings nor numbers. */
  private static byte @Nullable [][] words(Stack stack, boolean raises) {
    int count = stack.top();
    if (count == 0) {
      throw error("Please specify at least one argument for this redis lib call");
    }
    byte[][] words = new byte[count][];
    for (int i = 0; i < count; i++) {
      switch (stack.type(i + 1)) {
        case Stack.STRING -> words[i] = stack.bytes(i + 1);
        case Stack.NUMBER ->
            words[i] =
                Formats.general(stack.number(i + 1), 17).getBytes(StandardCharsets.ISO_8859_1);
        default -> {
          if (raises) {
            throw error(NO_WORDS);
          }
          return null;
        }
      }
    }
    return words;
  }

  private static int errorReply(Stack stack) {
    if (stack.top() != 1 || stack.type(1) != Stack.STRING) {
      return errorTable(stack, "ERR wrong number or type of arguments");
    }
    String text = stack.text(1).replaceFirst("^-", "");
    int space = text.indexOf(' ');
    String message =
        (space < 0 ? text : text.substring(space + 1)).replaceAll("^[\r\n]+|[\r\n]+$", "");
    return errorTable(stack, (space < 0 ? "ERR" : text.substring(0, space)) + " " + message);
  }

  private static int statusReply(Stack stack) {
    if (stack.top() != 1 || stack.type(1) != Stack.STRING) {
      return errorTable(stack, "ERR wrong number or type of arguments");
    }
    stack.table(0, 1);
    stack.copy(1);
    stack.set("ok");
    return 1;
  }

  private static int sha1(Stack stack) {
    if (stack.top() != 1) {
      throw error("wrong number of arguments");
    }
    stack.push(sha1(stack.checkBytes(1, "sha1hex"), 0));
    return 1;
  }

  static String sha1(byte[] source, int offset) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update(source, offset, source.length - offset);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  private int setProtocol(Stack stack) {
    if (stack.top() != 1) {
      throw error("redis.setresp() requires one argument.");
    }
    double wanted = stack.isNumber(1) ? stack.number(1) : 0;
    if (wanted != 2 && wanted != 3) {
      throw error("RESP version must be 2 or 3.");
    }
    protocol = (int) wanted;
    return 0;
  }

  private int log(Stack stack) {
    int count = stack.top();
    if (count < 2) {
      throw error("redis.log() requires two arguments or more.");
    }
    if (!stack.isNumber(1)) {
      throw error("First argument must be a number (log level).");
    }
    int level = (int) stack.number(1);
    if (level < 0 || level > 3) {
      throw error("Invalid debug level.");
    }
    StringBuilder message = new StringBuilder();
    for (int i = 2; i <= count; i++) {
      if (stack.isText(i)) {
        message.append(i == 2 ? "" : " ").append(stack.text(i));
      }
    }
    host().log(level, message.toString());
    return 0;
  }

  private int allows(Stack stack) {
    byte[][] request = Objects.requireNonNull(words(stack, true));
    try {
      stack.push(host().allows(request));
      return 1;
    } catch (ScriptException e) {
      throw error(e.text());
    }
  }

  private static int replicate(Stack stack) {
    if (stack.top() != 1) {
      throw error("redis.set_repl() requires two arguments.");
    }
    if (((int) stack.number(1) & ~3) != 0) {
      throw error("Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
    }
    return 0;
  }
}

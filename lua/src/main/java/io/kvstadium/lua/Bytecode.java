package io.kvstadium.lua;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code string.dump} makes of a function, as Lua 5.1 lays it out on 64 bits.
 *
 * <p>A tail call takes its caller off the stack, but not if a function of C is called. Of those
 * that the prelude has replaced by functions of Lua, errors would not name the caller's line. So
 * their tail calls become calls. Methods of any object may have the same names, and call themselves
 * without end: their calls change only where nothing can call itself, outside of all functions.
 */
final class Bytecode {
  private static final int HEADER = 12;
  private static final int INSTRUCTION = 4;

  private static final int GET_GLOBAL = 5;
  private static final int GET_TABLE = 6;
  private static final int SELF = 11;

  /** The first and the last of those whose first argument is no register. */
  private static final int JUMP = 22;

  private static final int LESS_OR_EQUAL = 25;
  private static final int CALL = 28;
  private static final int TAIL_CALL = 29;

  /** What marks a constant among an instruction's arguments. */
  private static final int CONSTANT = 1 << 8;

  private static final Set<String> METHODS = Set.of("find", "match", "gmatch", "gfind", "gsub");
  private static final Set<String> OF_TABLES = Set.of("insert", "foreach");
  private static final Set<String> GLOBALS =
      Set.of(
          "setmetatable",
          "rawset",
          "rawget",
          "next",
          "pairs",
          "xpcall",
          "collectgarbage",
          "loadstring",
          "load");

  private final byte[] dump;
  private final ByteBuffer in;
  private final ByteArrayOutputStream stripped = new ByteArrayOutputStream();
  private int maxParameters;
  private boolean changed;

  /**
   * @param dump becomes what {@link #withLines} returns
   */
  Bytecode(byte[] dump) {
    this.dump = dump;
    in = ByteBuffer.wrap(dump).order(ByteOrder.nativeOrder());
    skip(HEADER);
    function(true);
  }

  /** The same, but that errors name the line of the script; {@code null} if they do anyway. */
  byte @Nullable [] withLines() {
    return changed ? dump : null;
  }

  /** The same without names and lines. */
  byte[] stripped() {
    return stripped.toByteArray();
  }

  /** The most named parameters of a function that takes any number more. */
  int maxParameters() {
    return maxParameters;
  }

  private void skip(int bytes) {
    stripped.write(dump, in.position(), bytes);
    in.position(in.position() + bytes);
  }

  private int count() {
    int count = in.getInt(in.position());
    skip(Integer.BYTES);
    return count;
  }

  private String string() {
    int length = Math.toIntExact(in.getLong(in.position()));
    skip(Long.BYTES + length);
    return new String(
        dump, in.position() - length, Math.max(0, length - 1), StandardCharsets.ISO_8859_1);
  }

  private void function(boolean outermost) {
    string(); // where it is from
    skip(2 * Integer.BYTES + 1);
    int parameters = in.get(in.position()) & 0xff;
    if (in.get(in.position() + 1) != 0) {
      maxParameters = Math.max(maxParameters, parameters);
    }
    skip(3);
    int length = count();
    int code = in.position();
    skip(INSTRUCTION * length);
    String[] constants = new String[count()];
    for (int i = 0; i < constants.length; i++) {
      constants[i] = constant();
    }
    for (int at = 0; at < length; at++) {
      int instruction = in.getInt(code + INSTRUCTION * at);
      if (operation(instruction) == TAIL_CALL && isReplaced(code, at, constants, outermost)) {
        in.putInt(code + INSTRUCTION * at, instruction - TAIL_CALL + CALL);
        changed = true;
      }
    }
    for (int left = count(); left > 0; left--) {
      function(false);
    }
    names();
  }

  /** Whether what a tail call calls is a function that the prelude has replaced. */
  private boolean isReplaced(int code, int call, String[] constants, boolean outermost) {
    int register = register(in.getInt(code + INSTRUCTION * call));
    for (int at = call - 1; at >= 0; at--) {
      int instruction = in.getInt(code + INSTRUCTION * at);
      int operation = operation(instruction);
      if ((operation >= JUMP && operation <= LESS_OR_EQUAL) || register(instruction) != register) {
        continue; // of the call's arguments, which have higher registers
      }
      int key = (instruction >>> 14 & 0x1ff) - CONSTANT;
      return switch (operation) {
        case GET_GLOBAL -> GLOBALS.contains(constants[instruction >>> 14]);
        case SELF -> outermost && key >= 0 && METHODS.contains(constants[key]);
        case GET_TABLE -> {
          int table = at == 0 ? 0 : in.getInt(code + INSTRUCTION * (at - 1));
          yield key >= 0
              && operation(table) == GET_GLOBAL
              && register(table) == register
              && switch (constants[table >>> 14]) {
                case "string" -> METHODS.contains(constants[key]);
                case "table" -> OF_TABLES.contains(constants[key]);
                default -> false;
              };
        }
        default -> false;
      };
    }
    return false;
  }

  private static int operation(int instruction) {
    return instruction & 0x3f;
  }

  private static int register(int instruction) {
    return instruction >>> 6 & 0xff;
  }

  /** Its text, or none if it is a number or the like. */
  private String constant() {
    int type = in.get(in.position());
    skip(1);
    if (type == Stack.STRING) {
      return string();
    }
    skip(
        switch (type) {
          case Stack.BOOLEAN -> 1;
          case Stack.NUMBER -> Double.BYTES;
          default -> 0;
        });
    return "";
  }

  private void names() {
    stripped.writeBytes(new byte[3 * Integer.BYTES]);
    pass((long) Integer.BYTES * in.getInt());
    for (int left = in.getInt(); left > 0; left--) {
      pass(in.getLong() + 2 * Integer.BYTES);
    }
    for (int left = in.getInt(); left > 0; left--) {
      pass(in.getLong());
    }
  }

  private void pass(long bytes) {
    in.position(Math.toIntExact(in.position() + bytes));
  }
}

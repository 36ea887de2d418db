package io.kvstadium.server.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * What scripts return, without types of Lua: {@code null}, {@code byte[]}, {@link Long}, {@link
 * Boolean}, a list, or one of these records.
 */
public final class Results {
  private static final int DEEPEST = 1_000;

  private Results() {}

  /** A line such as OK. */
  public record Status(String text) {}

  /**
   * An error.
   *
   * @param counted whether it was counted when a command failed
   */
  public record Failure(String text, boolean counted) {}

  /** A number that may have a fraction, as its digits. */
  public record Real(String digits) {}

  /** An integer of any length, as its digits. */
  public record BigNumber(String digits) {}

  /** Text with a format of three letters. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Verbatim(String format, byte[] text) {}

  /** Keys and values in turn. */
  public record Pairs(List<@Nullable Object> all) {}

  /** Members. */
  public record Members(List<@Nullable Object> all) {}

  /** Converts a value. */
  static @Nullable Object of(LuaValue value, boolean resp3, int depth) {
    return switch (value.type()) {
      case LuaValue.TSTRING -> Formats.bytes((LuaString) value);
      case LuaValue.TNUMBER -> integer(value.todouble());
      case LuaValue.TBOOLEAN -> {
        boolean truth = value.toboolean();
        if (resp3) {
          yield truth;
        } else if (truth) {
          yield 1L;
        }
        yield null;
      }
      case LuaValue.TTABLE ->
          depth == DEEPEST
              ? new Failure("ERR reached lua stack limit", false)
              : table((LuaTable) value, resp3, depth);
      default -> null;
    };
  }

  /** As a conversion in C does it on most machines. */
  private static long integer(double number) {
    return number >= -0x1p63 && number < 0x1p63 ? (long) number : Long.MIN_VALUE;
  }

  private static LuaValue field(LuaTable table, String name) {
    return table.rawget(LuaValue.valueOf(name));
  }

  private static boolean isText(LuaValue value) {
    return value.type() == LuaValue.TSTRING;
  }

  private static Object table(LuaTable table, boolean resp3, int depth) {
    LuaValue error = field(table, "err");
    if (isText(error)) {
      return new Failure(error.tojstring(), field(table, "ignore_error_stats_update").toboolean());
    }
    if (isText(field(table, "ok"))) {
      return new Status(oneLine(field(table, "ok")));
    }
    if (field(table, "double").type() == LuaValue.TNUMBER) {
      return new Real(Formats.general(field(table, "double").todouble(), 17));
    }
    if (isText(field(table, "big_number"))) {
      return new BigNumber(oneLine(field(table, "big_number")));
    }
    if (field(table, "verbatim_string") instanceof LuaTable parts
        && field(parts, "string") instanceof LuaString text
        && field(parts, "format") instanceof LuaString format) {
      return new Verbatim((format.tojstring() + "   ").substring(0, 3), Formats.bytes(text));
    }
    if (field(table, "map") instanceof LuaTable map) {
      return new Pairs(entries(map, true, resp3, depth));
    }
    if (field(table, "set") instanceof LuaTable set) {
      return new Members(entries(set, false, resp3, depth));
    }
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 1; ; i++) {
      LuaValue each = table.rawget(i);
      if (each.isnil()) {
        return list;
      }
      list.add(of(each, resp3, depth + 1));
    }
  }

  private static String oneLine(LuaValue text) {
    return new String(Formats.bytes((LuaString) text), StandardCharsets.UTF_8)
        .replace('\r', ' ')
        .replace('\n', ' ');
  }

  private static List<@Nullable Object> entries(
      LuaTable of, boolean values, boolean resp3, int depth) {
    List<@Nullable Object> all = new ArrayList<>();
    for (Varargs each = of.next(LuaValue.NIL); !each.arg1().isnil(); each = of.next(each.arg1())) {
      all.add(of(each.arg1(), resp3, depth + 1));
      if (values) {
        all.add(of(each.arg(2), resp3, depth + 1));
      }
    }
    return all;
  }
}

package io.kvstadium.server.redis.script;

import java.util.function.IntBinaryOperator;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The library {@code bit}: operations on 32 bits. */
final class Bits {
  private Bits() {}

  static Protected library() {
    Protected table = new Protected();
    table.define("tobit", Library.function(args -> number(bits(args, 1))));
    table.define("bnot", Library.function(args -> number(~bits(args, 1))));
    table.define("bswap", Library.function(args -> number(Integer.reverseBytes(bits(args, 1)))));
    fold(table, "band", (a, b) -> a & b);
    fold(table, "bor", (a, b) -> a | b);
    fold(table, "bxor", (a, b) -> a ^ b);
    shift(table, "lshift", (a, n) -> a << n);
    shift(table, "rshift", (a, n) -> a >>> n);
    shift(table, "arshift", (a, n) -> a >> n);
    shift(table, "rol", Integer::rotateLeft);
    shift(table, "ror", Integer::rotateRight);
    table.define("tohex", Library.function(Bits::hex));
    return table;
  }

  private static LuaValue number(int value) {
    return LuaValue.valueOf(value);
  }

  private static int bits(Varargs args, int n) {
    return (int) (long) Math.rint(args.checkdouble(n));
  }

  private static void fold(Protected table, String name, IntBinaryOperator operator) {
    table.define(
        name,
        Library.function(args -> {
          int value = bits(args, 1);
          for (int i = 2; i <= args.narg(); i++) {
            value = operator.applyAsInt(value, bits(args, i));
          }
          return number(value);
        }));
  }

  private static void shift(Protected table, String name, IntBinaryOperator operator) {
    table.define(
        name,
        Library.function(args -> number(operator.applyAsInt(bits(args, 1), bits(args, 2) & 31))));
  }

  private static LuaValue hex(Varargs args) {
    int digits = args.isnoneornil(2) ? 8 : bits(args, 2);
    String text = "%08x".formatted(bits(args, 1));
    if (digits < 0) {
      text = text.toUpperCase(java.util.Locale.ROOT);
    }
    int length = digits == Integer.MIN_VALUE ? 8 : Math.min(8, Math.abs(digits));
    return LuaValue.valueOf(text.substring(8 - length));
  }
}

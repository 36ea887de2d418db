package io.kvstadium.lua;

import java.util.Locale;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** The library {@code bit}: operations on 32 bits. */
final class Bits {
  private static final double SHIFT = 0x1.8p52;

  private Bits() {}

  static void define(Map<String, Function> functions) {
    one(functions, "tobit", a -> a);
    one(functions, "bnot", a -> ~a);
    one(functions, "bswap", Integer::reverseBytes);
    fold(functions, "band", (a, b) -> a & b);
    fold(functions, "bor", (a, b) -> a | b);
    fold(functions, "bxor", (a, b) -> a ^ b);
    shift(functions, "lshift", (a, n) -> a << n);
    shift(functions, "rshift", (a, n) -> a >>> n);
    shift(functions, "arshift", (a, n) -> a >> n);
    shift(functions, "rol", Integer::rotateLeft);
    shift(functions, "ror", Integer::rotateRight);
    functions.put("bit.tohex", Bits::hex);
  }

  /** As LuaBitOp does it: the addition puts the integer into the lowest bits of the fraction. */
  private static int bits(Stack stack, int n, String function) {
    return (int) Double.doubleToRawLongBits(stack.checkNumber(n, function) + SHIFT);
  }

  private static void one(Map<String, Function> functions, String name, IntUnaryOperator operator) {
    functions.put(
        "bit." + name,
        stack -> {
          stack.push((double) operator.applyAsInt(bits(stack, 1, name)));
          return 1;
        });
  }

  private static void fold(
      Map<String, Function> functions, String name, IntBinaryOperator operator) {
    functions.put(
        "bit." + name,
        stack -> {
          int value = bits(stack, 1, name);
          int count = stack.top();
          for (int i = 2; i <= count; i++) {
            value = operator.applyAsInt(value, bits(stack, i, name));
          }
          stack.push((double) value);
          return 1;
        });
  }

  private static void shift(
      Map<String, Function> functions, String name, IntBinaryOperator operator) {
    functions.put(
        "bit." + name,
        stack -> {
          int value = bits(stack, 1, name);
          stack.push((double) operator.applyAsInt(value, bits(stack, 2, name) & 31));
          return 1;
        });
  }

  private static int hex(Stack stack) {
    int digits = stack.isMissing(2) ? 8 : bits(stack, 2, "tohex");
    String text = "%08x".formatted(bits(stack, 1, "tohex"));
    if (digits < 0) {
      text = text.toUpperCase(Locale.ROOT);
    }
    int length = digits == Integer.MIN_VALUE ? 8 : Math.min(8, Math.abs(digits));
    stack.push(text.substring(8 - length));
    return 1;
  }
}

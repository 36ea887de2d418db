package io.kvstadium.lua;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Random numbers as in Redis, so that a seed has the same effect: {@code lrand48}. */
final class Random {
  private long state = ThreadLocalRandom.current().nextLong();

  void define(Map<String, Function> functions) {
    functions.put("math.random", this::next);
    functions.put(
        "math.randomseed",
        stack -> {
          state = ((long) stack.checkInt(1, "randomseed") << 16) + 0x330e;
          return 0;
        });
  }

  private int next(Stack stack) {
    state = (state * 0x5DEECE66DL + 0xB) & ((1L << 48) - 1);
    double part = (state >> 17) % Integer.MAX_VALUE / (double) Integer.MAX_VALUE;
    int count = stack.top();
    if (count > 2) {
      throw new LuaError("wrong number of arguments");
    }
    if (count == 0) {
      stack.push(part);
      return 1;
    }
    double from = count == 1 ? 1 : stack.checkInt(1, "random");
    double to = stack.checkInt(count, "random");
    if (from > to) {
      throw new LuaError("bad argument #%d to 'random' (interval is empty)".formatted(count));
    }
    stack.push(Math.floor(part * (to - from + 1)) + from);
    return 1;
  }
}

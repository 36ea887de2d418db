package io.kvstadium.lua;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  /** Converts the top of the stack. */
  static @Nullable Object of(Stack stack, boolean resp3, int depth) {
    return switch (stack.type(-1)) {
      case Stack.STRING -> stack.bytes(-1);
      case Stack.NUMBER -> Stack.integer(stack.number(-1));
      case Stack.BOOLEAN -> {
        boolean truth = stack.truth(-1);
        if (resp3) {
          yield truth;
        } else if (truth) {
          yield 1L;
        }
        yield null;
      }
      case Stack.TABLE ->
          depth == DEEPEST
              ? new Failure("ERR reached lua stack limit", false)
              : table(stack, resp3, depth);
      default -> null;
    };
  }

  /** Calls a function with an entry of the table on top, if that has a type. */
  private static @Nullable Object field(
      Stack stack, String name, int type, Supplier<@Nullable Object> function) {
    stack.get(-1, name);
    @Nullable Object result = stack.type(-1) == type ? function.get() : null;
    stack.pop(1);
    return result;
  }

  private static @Nullable Object table(Stack stack, boolean resp3, int depth) {
    stack.reserve(5);
    Object special = field(stack, "err", Stack.STRING, () -> new Failure(stack.text(-1), false));
    if (special instanceof Failure failure) {
      stack.get(-1, Redis.COUNTED);
      boolean counted = stack.truth(-1);
      stack.pop(1);
      return counted ? new Failure(failure.text(), true) : failure;
    }
    special = field(stack, "ok", Stack.STRING, () -> new Status(oneLine(stack)));
    if (special == null) {
      special =
          field(
              stack, "double", Stack.NUMBER, () -> new Real(Formats.general(stack.number(-1), 17)));
    }
    if (special == null) {
      special = field(stack, "big_number", Stack.STRING, () -> new BigNumber(oneLine(stack)));
    }
    if (special == null) {
      special = field(stack, "verbatim_string", Stack.TABLE, () -> verbatim(stack));
    }
    if (special == null) {
      special =
          field(stack, "map", Stack.TABLE, () -> new Pairs(entries(stack, true, resp3, depth)));
    }
    if (special == null) {
      special =
          field(stack, "set", Stack.TABLE, () -> new Members(entries(stack, false, resp3, depth)));
    }
    return special != null ? special : list(stack, resp3, depth);
  }

  private static List<@Nullable Object> list(Stack stack, boolean resp3, int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 1; ; i++) {
      stack.get(-1, i);
      if (stack.type(-1) == Stack.NIL) {
        stack.pop(1);
        return list;
      }
      list.add(of(stack, resp3, depth + 1));
      stack.pop(1);
    }
  }

  private static @Nullable Object verbatim(Stack stack) {
    Object format = field(stack, "format", Stack.STRING, () -> stack.text(-1));
    Object text = field(stack, "string", Stack.STRING, () -> stack.bytes(-1));
    return format instanceof String name && text instanceof byte[] bytes
        ? new Verbatim((name + "   ").substring(0, 3), bytes)
        : null;
  }

  private static String oneLine(Stack stack) {
    return stack.text(-1).replace('\r', ' ').replace('\n', ' ');
  }

  private static List<@Nullable Object> entries(
      Stack stack, boolean values, boolean resp3, int depth) {
    List<@Nullable Object> all = new ArrayList<>();
    stack.reserve(5);
    int table = stack.top();
    stack.nil();
    while (stack.next(table)) {
      stack.copy(-2);
      all.add(of(stack, resp3, depth + 1));
      stack.pop(1);
      if (values) {
        all.add(of(stack, resp3, depth + 1));
      }
      stack.pop(1);
    }
    return all;
  }
}

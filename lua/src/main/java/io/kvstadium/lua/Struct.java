package io.kvstadium.lua;

import java.io.ByteArrayOutputStream;
import java.util.Map;

/** The library {@code struct}: values as fields of C structures, by a format. */
final class Struct {
  private static final int LARGEST = 32;
  private static final int ALIGNMENT = 8;

  /** The largest number that counts. */
  private static final int MOST = Integer.MAX_VALUE / 10 - 1;

  private final String function;
  private final byte[] format;
  private int next;
  private boolean big;
  private int alignment = 1;

  /** The option that was read last, and the bytes of its value. */
  private char option;

  private int size;

  private Struct(String function, Stack stack) {
    this.function = function;
    format = stack.checkBytes(1, function);
  }

  static void define(Map<String, Function> functions) {
    functions.put("struct.pack", stack -> new Struct("pack", stack).pack(stack));
    functions.put("struct.unpack", stack -> new Struct("unpack", stack).unpack(stack));
    functions.put("struct.size", stack -> new Struct("size", stack).total(stack));
  }

  /** Reads the next option of a value; those that say how values are laid out take effect. */
  private boolean advance() {
    while (next < format.length) {
      option = (char) (format[next++] & 0xff);
      switch (option) {
        case ' ' -> {}
        case '>' -> big = true;
        case '<' -> big = false;
        case '!' -> {
          alignment = number(ALIGNMENT);
          if (Integer.bitCount(alignment) != 1) {
            throw new LuaError("alignment " + alignment + " is not a power of 2");
          }
        }
        default -> {
          size = sizeOfOption();
          return true;
        }
      }
    }
    return false;
  }

  private int sizeOfOption() {
    return switch (option) {
      case 'b', 'B', 'x' -> 1;
      case 'h', 'H' -> 2;
      case 'f' -> 4;
      case 'l', 'L', 'T', 'd' -> 8;
      case 'c' -> number(1);
      case 's' -> 0;
      case 'i', 'I' -> {
        int wanted = number(4);
        if (wanted > LARGEST) {
          throw new LuaError(
              "integral size %d is larger than limit of %d".formatted(wanted, LARGEST));
        }
        yield wanted;
      }
      default -> {
        if (function.equals("size") && Character.isLetterOrDigit(option)) {
          yield 0;
        }
        throw new LuaError(
            "bad argument #1 to '%s' (invalid format option '%s')".formatted(function, option));
      }
    };
  }

  private int number(int fallback) {
    int begin = next;
    int value = 0;
    while (next < format.length && Character.isDigit(format[next])) {
      if (value > MOST) {
        throw new LuaError("integral size overflow");
      }
      value = value * 10 + format[next++] - '0';
    }
    return next == begin ? fallback : value;
  }

  /** A number as 64 bits without a sign, as processors convert it; 0 if it is larger. */
  private static long word(double value) {
    return value >= 0x1p63 ? Stack.integer(value - 0x1p63) ^ Long.MIN_VALUE : Stack.integer(value);
  }

  private int padding(int position) {
    if (size == 0 || option == 'c') {
      return 0;
    }
    int unit = Math.min(size, alignment);
    return (unit - (position & (unit - 1))) & (unit - 1);
  }

  private int pack(Stack stack) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int argument = 2;
    stack.nil(); // what is missing is nil, as in Redis
    while (advance()) {
      stack.require(out.size() + size);
      out.writeBytes(new byte[padding(out.size())]);
      switch (option) {
        case 'x' -> out.write(0);
        case 'f' ->
            bits(out, Float.floatToRawIntBits((float) stack.checkNumber(argument++, "pack")));
        case 'd' -> bits(out, Double.doubleToRawLongBits(stack.checkNumber(argument++, "pack")));
        case 'c', 's' -> {
          byte[] text = stack.checkBytes(argument++, "pack");
          int length = size == 0 ? text.length : size;
          if (text.length < length) {
            throw new LuaError("bad argument #" + argument + " to 'pack' (string too short)");
          }
          out.write(text, 0, length);
          if (option == 's') {
            out.write(0);
          }
        }
        default -> {
          double value = stack.checkNumber(argument++, "pack");
          bits(out, word(value));
        }
      }
    }
    stack.push(out.toByteArray());
    return 1;
  }

  private void bits(ByteArrayOutputStream out, long value) {
    for (int i = 0; i < size; i++) {
      int place = big ? size - 1 - i : i;
      out.write(place < Long.BYTES ? (int) (value >>> (8 * place)) : 0);
    }
  }

  private int unpack(Stack stack) {
    byte[] data = stack.checkBytes(2, function);
    long position = (stack.isMissing(3) ? 1 : Stack.integer(stack.checkNumber(3, function))) - 1;
    if (position < 0) {
      throw new LuaError("bad argument #3 to 'unpack' (offset must be 1 or greater)");
    }
    int found = 0;
    while (advance()) {
      position += padding((int) position);
      require(data, position);
      int at = (int) position;
      stack.reserve(2);
      switch (option) {
        case 'x' -> found--;
        case 'f' -> stack.push((double) Float.intBitsToFloat((int) bits(data, at)));
        case 'd' -> stack.push(Double.longBitsToDouble(bits(data, at)));
        case 'c' -> {
          if (size == 0) {
            if (found == 0 || !stack.isNumber(-1)) {
              throw new LuaError("format 'c0' needs a previous size");
            }
            long asked = word(stack.number(-1)); // below 0: more than there can be
            size = asked < 0 ? -1 : (int) Math.min(asked, Integer.MAX_VALUE);
            stack.pop(1);
            found--;
            require(data, position);
          }
          stack.push(data, at, size);
        }
        case 's' -> {
          int end = at;
          while (end < data.length && data[end] != 0) {
            end++;
          }
          if (end == data.length) {
            throw new LuaError("unfinished string in data");
          }
          stack.push(data, at, end - at);
          size = end - at + 1;
        }
        default -> stack.push(integer(bits(data, at)));
      }
      found++;
      position += size;
    }
    stack.push((double) position + 1);
    return found + 1;
  }

  private void require(byte[] data, long position) {
    if (size < 0 || position + size > data.length) {
      throw new LuaError("bad argument #2 to 'unpack' (data string too short)");
    }
  }

  private long bits(byte[] data, int at) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value = value << 8 | (data[at + (big ? i : size - 1 - i)] & 0xff);
    }
    return value;
  }

  private double integer(long bits) {
    if (Character.isUpperCase(option)) {
      return Stack.unsigned(bits);
    }
    int unused = Math.max(0, Long.SIZE - 8 * size);
    return (double) (size == 0 ? bits : bits << unused >> unused);
  }

  private int total(Stack stack) {
    long position = 0;
    while (advance()) {
      position += padding((int) position);
      if (option == 's' || (option == 'c' && size == 0)) {
        throw new LuaError(
            "bad argument #1 to 'size' (option '%s' has no fixed size)"
                .formatted(option == 's' ? "s" : "c0"));
      }
      position += size;
    }
    stack.push((double) position);
    return 1;
  }
}

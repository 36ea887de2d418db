package io.kvstadium.server.redis.script;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The library {@code struct}: values as fields of C structures, by a format. */
final class Struct {
  private static final int LARGEST = 32;
  private static final int ALIGNMENT = 8;

  /** The largest number that counts. */
  private static final int MOST = Integer.MAX_VALUE / 10 - 1;

  private final String function;
  private final LuaString format;
  private int next;
  private boolean big;
  private int alignment = 1;

  /** The option that was read last, and the bytes of its value. */
  private char option;

  private int size;

  private Struct(String function, Varargs args) {
    this.function = function;
    format = args.checkstring(1);
  }

  static Protected library() {
    Protected table = new Protected();
    table.define("pack", Library.function(args -> new Struct("pack", args).pack(args)));
    table.define("unpack", Library.function(args -> new Struct("unpack", args).unpack(args)));
    table.define("size", Library.function(args -> new Struct("size", args).total()));
    return table;
  }

  /** Reads the next option of a value; those that say how values are laid out take effect. */
  private boolean advance() {
    while (next < format.m_length) {
      option = (char) format.luaByte(next++);
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
      default ->
          throw new LuaError(
              "bad argument #1 to '%s' (invalid format option '%s')".formatted(function, option));
    };
  }

  private int number(int fallback) {
    int begin = next;
    int value = 0;
    while (next < format.m_length && Character.isDigit(format.luaByte(next))) {
      if (value > MOST) {
        throw new LuaError("integral size overflow");
      }
      value = value * 10 + format.luaByte(next++) - '0';
    }
    return next == begin ? fallback : value;
  }

  private int padding(int position) {
    if (size == 0 || option == 'c') {
      return 0;
    }
    int unit = Math.min(size, alignment);
    return (unit - (position & (unit - 1))) & (unit - 1);
  }

  private Varargs pack(Varargs args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int argument = 2;
    while (advance()) {
      out.writeBytes(new byte[padding(out.size())]);
      switch (option) {
        case 'x' -> out.write(0);
        case 'f' -> bits(out, Float.floatToRawIntBits((float) args.checkdouble(argument++)));
        case 'd' -> bits(out, Double.doubleToRawLongBits(args.checkdouble(argument++)));
        case 'c', 's' -> {
          LuaString text = args.checkstring(argument++);
          int length = size == 0 ? text.m_length : size;
          if (text.m_length < length) {
            throw new LuaError("bad argument #" + argument + " to 'pack' (string too short)");
          }
          out.write(text.m_bytes, text.m_offset, length);
          if (option == 's') {
            out.write(0);
          }
        }
        default -> {
          double value = args.checkdouble(argument++);
          bits(out, value < 0x1p63 ? (long) value : (long) (value - 0x1p64));
        }
      }
    }
    return LuaString.valueUsing(out.toByteArray());
  }

  private void bits(ByteArrayOutputStream out, long value) {
    for (int i = 0; i < size; i++) {
      int place = big ? size - 1 - i : i;
      out.write(place < Long.BYTES ? (int) (value >>> (8 * place)) : 0);
    }
  }

  private Varargs unpack(Varargs args) {
    LuaString data = args.checkstring(2);
    long position = args.optlong(3, 1) - 1;
    if (position < 0) {
      throw new LuaError("bad argument #3 to 'unpack' (offset must be 1 or greater)");
    }
    List<LuaValue> found = new ArrayList<>();
    while (advance()) {
      position += padding((int) position);
      require(data, position);
      int at = (int) position;
      switch (option) {
        case 'x' -> {}
        case 'f' ->
            found.add(LuaValue.valueOf((double) Float.intBitsToFloat((int) bits(data, at))));
        case 'd' -> found.add(LuaValue.valueOf(Double.longBitsToDouble(bits(data, at))));
        case 'c' -> {
          if (size == 0) {
            if (found.isEmpty() || !found.getLast().isnumber()) {
              throw new LuaError("format 'c0' needs a previous size");
            }
            size = (int) Math.clamp(found.removeLast().todouble(), -1, Integer.MAX_VALUE);
            require(data, position);
          }
          found.add(data.substring(at, at + size));
        }
        case 's' -> {
          int end = data.indexOf((byte) 0, at);
          if (end < 0) {
            throw new LuaError("unfinished string in data");
          }
          found.add(data.substring(at, end));
          size = end - at + 1;
        }
        default -> found.add(integer(bits(data, at)));
      }
      position += size;
    }
    found.add(LuaValue.valueOf((double) position + 1));
    return LuaValue.varargsOf(found.toArray(LuaValue[]::new));
  }

  private void require(LuaString data, long position) {
    if (size < 0 || position + size > data.m_length) {
      throw new LuaError("bad argument #2 to 'unpack' (data string too short)");
    }
  }

  private long bits(LuaString data, int at) {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value = value << 8 | data.luaByte(at + (big ? i : size - 1 - i));
    }
    return value;
  }

  private LuaValue integer(long bits) {
    if (Character.isUpperCase(option)) {
      return LuaValue.valueOf(bits >= 0 ? (double) bits : bits + 0x1p64);
    }
    int unused = Math.max(0, Long.SIZE - 8 * size);
    return LuaValue.valueOf((double) (size == 0 ? bits : bits << unused >> unused));
  }

  private Varargs total() {
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
    return LuaValue.valueOf((double) position);
  }
}

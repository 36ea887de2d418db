package io.kvstadium.lua;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Map;

/** The library {@code cmsgpack}: values as MessagePack. */
final class MessagePack {
  /** Deeper tables are packed as nil. */
  private static final int DEEPEST = 16;

  /** Deeper ones are not unpacked. */
  private static final int DEEPEST_READ = 1_000;

  private MessagePack() {}

  static void define(Map<String, Function> functions) {
    functions.put("cmsgpack.pack", MessagePack::pack);
    functions.put("cmsgpack.unpack", stack -> unpack(stack, "unpack", 0, 0));
    functions.put(
        "cmsgpack.unpack_one",
        stack -> unpack(stack, "unpack_one", 1, stack.optInt(2, 0, "unpack_one")));
    functions.put(
        "cmsgpack.unpack_limit",
        stack ->
            unpack(
                stack,
                "unpack_limit",
                stack.checkInt(2, "unpack_limit"),
                stack.optInt(3, 0, "unpack_limit")));
  }

  private static int pack(Stack stack) {
    int count = stack.top();
    if (count == 0) {
      throw new LuaError("bad argument #0 to 'pack' (MessagePack pack needs input.)");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int i = 1; i <= count; i++) {
        stack.reserve(2);
        stack.copy(i);
        write(out, stack, 0);
        stack.pop(1);
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    stack.push(bytes.toByteArray());
    return 1;
  }

  /** Writes the top of the stack. */
  private static void write(DataOutputStream out, Stack stack, int depth) throws IOException {
    switch (stack.type(-1)) {
      case Stack.STRING -> {
        byte[] text = stack.bytes(-1);
        stack.require(out.size() + (long) text.length);
        if (text.length < 32) {
          out.writeByte(0xa0 | text.length);
        } else if (text.length <= 0xff) {
          out.writeByte(0xd9);
          out.writeByte(text.length);
        } else {
          length(out, text.length, 0xda);
        }
        out.write(text);
      }
      case Stack.BOOLEAN -> out.writeByte(stack.truth(-1) ? 0xc3 : 0xc2);
      case Stack.NUMBER -> number(out, stack.number(-1));
      case Stack.TABLE -> {
        if (depth == DEEPEST) {
          out.writeByte(0xc0);
        } else {
          table(out, stack, depth);
        }
      }
      default -> out.writeByte(0xc0);
    }
  }

  /** A length of 16 or 32 bits, after its type. */
  private static void length(DataOutputStream out, int length, int type) throws IOException {
    if (length <= 0xffff) {
      out.writeByte(type);
      out.writeShort(length);
    } else {
      out.writeByte(type + 1);
      out.writeInt(length);
    }
  }

  private static void number(DataOutputStream out, double value) throws IOException {
    if (value >= -0x1p63 && value < 0x1p63 && (long) value == value) {
      integer(out, (long) value);
    } else if ((float) value == value) {
      out.writeByte(0xca);
      out.writeFloat((float) value);
    } else {
      out.writeByte(0xcb);
      out.writeLong(Double.doubleToRawLongBits(value)); // keeps the bits of a NaN
    }
  }

  private static void integer(DataOutputStream out, long n) throws IOException {
    if (n >= -32 && n <= 127) {
      out.writeByte((int) n);
    } else if (n > 0 ? n <= 0xff : n >= Byte.MIN_VALUE) {
      out.writeByte(n > 0 ? 0xcc : 0xd0);
      out.writeByte((int) n);
    } else if (n > 0 ? n <= 0xffff : n >= Short.MIN_VALUE) {
      out.writeByte(n > 0 ? 0xcd : 0xd1);
      out.writeShort((int) n);
    } else if (n > 0 ? n <= 0xffff_ffffL : n >= Integer.MIN_VALUE) {
      out.writeByte(n > 0 ? 0xce : 0xd2);
      out.writeInt((int) n);
    } else {
      out.writeByte(n > 0 ? 0xcf : 0xd3);
      out.writeLong(n);
    }
  }

  private static void table(DataOutputStream out, Stack stack, int depth) throws IOException {
    stack.require(out.size());
    stack.reserve(4);
    int table = stack.top();
    int count = 0;
    double largest = 0;
    boolean isList = true;
    stack.nil();
    while (stack.next(table)) {
      count++;
      double key = stack.type(-2) == Stack.NUMBER ? stack.number(-2) : 0;
      isList &= key > 0 && (int) key == key;
      largest = Math.max(largest, key);
      stack.pop(1);
    }
    isList &= largest == count;
    if (count <= 15) {
      out.writeByte((isList ? 0x90 : 0x80) | count);
    } else {
      length(out, count, isList ? 0xdc : 0xde);
    }
    if (isList) {
      for (int i = 1; i <= count; i++) {
        stack.get(table, i);
        write(out, stack, depth + 1);
        stack.pop(1);
      }
      return;
    }
    stack.nil();
    while (stack.next(table)) {
      stack.copy(-2);
      write(out, stack, depth + 1);
      stack.pop(1);
      write(out, stack, depth + 1);
      stack.pop(1);
    }
  }

  private static int unpack(Stack stack, String function, int limit, int offset) {
    boolean all = limit == 0 && offset == 0;
    byte[] text = stack.checkBytes(1, function);
    if (limit < 0 || offset < 0) {
      throw new LuaError(
          "Invalid request to unpack with offset of %d and limit of %d."
              .formatted(offset, text.length));
    }
    if (offset > text.length) {
      throw new LuaError(
          "Start offset %d greater than input length %d.".formatted(offset, text.length));
    }
    ByteBuffer in = ByteBuffer.wrap(text, offset, text.length - offset).slice();
    int found = 0;
    try {
      while (in.hasRemaining() && (all || found < limit)) {
        read(in, stack, 0);
        found++;
      }
    } catch (BufferUnderflowException e) {
      throw new LuaError("Missing bytes in input.");
    }
    if (!all) {
      stack.reserve(1);
      stack.push((double) (in.hasRemaining() ? offset + in.position() : -1));
      stack.insert(-found - 1);
      found++;
    }
    return found;
  }

  /** Pushes the next value. */
  private static void read(ByteBuffer in, Stack stack, int depth) {
    if (depth == DEEPEST_READ) {
      throw new LuaError("Too many nested tables in input.");
    }
    stack.reserve(4);
    int type = in.get() & 0xff;
    if (type <= 0x7f || type >= 0xe0) {
      stack.push((double) (byte) type);
    } else if (type <= 0x8f) {
      map(in, stack, type & 0xf, depth);
    } else if (type <= 0x9f) {
      list(in, stack, type & 0xf, depth);
    } else if (type <= 0xbf) {
      text(in, stack, type & 0x1f);
    } else {
      readLong(in, stack, type, depth);
    }
  }

  private static void readLong(ByteBuffer in, Stack stack, int type, int depth) {
    switch (type) {
      case 0xc0 -> stack.nil();
      case 0xc2 -> stack.push(false);
      case 0xc3 -> stack.push(true);
      case 0xd9 -> text(in, stack, in.get() & 0xff);
      case 0xda -> text(in, stack, in.getShort() & 0xffff);
      case 0xdb -> text(in, stack, in.getInt());
      case 0xca -> stack.push((double) in.getFloat());
      case 0xcb -> stack.push(in.getDouble());
      case 0xcc -> stack.push((double) (in.get() & 0xff));
      case 0xcd -> stack.push((double) (in.getShort() & 0xffff));
      case 0xce -> stack.push((double) (in.getInt() & 0xffff_ffffL));
      case 0xcf -> {
        stack.push(Stack.unsigned(in.getLong()));
      }
      case 0xd0 -> stack.push((double) in.get());
      case 0xd1 -> stack.push((double) in.getShort());
      case 0xd2 -> stack.push((double) in.getInt());
      case 0xd3 -> stack.push((double) in.getLong());
      case 0xdc -> list(in, stack, in.getShort() & 0xffff, depth);
      case 0xdd -> list(in, stack, in.getInt(), depth);
      case 0xde -> map(in, stack, in.getShort() & 0xffff, depth);
      case 0xdf -> map(in, stack, in.getInt(), depth);
      default -> throw new LuaError("Bad data format in input.");
    }
  }

  private static void text(ByteBuffer in, Stack stack, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    stack.push(in, length);
  }

  private static void list(ByteBuffer in, Stack stack, int count, int depth) {
    stack.table(0, 0);
    for (long i = 1; i <= (count & 0xffff_ffffL); i++) {
      read(in, stack, depth + 1);
      stack.set(-2, (int) i);
    }
  }

  private static void map(ByteBuffer in, Stack stack, int count, int depth) {
    stack.table(0, 0);
    for (long i = 0; i < (count & 0xffff_ffffL); i++) {
      read(in, stack, depth + 1);
      read(in, stack, depth + 1);
      int type = stack.type(-2); // of the key, which is looked at when the value is there
      if (type == Stack.NIL || (type == Stack.NUMBER && Double.isNaN(stack.number(-2)))) {
        throw new LuaError("table index is " + (type == Stack.NIL ? "nil" : "NaN"));
      }
      stack.set(-3);
    }
  }
}

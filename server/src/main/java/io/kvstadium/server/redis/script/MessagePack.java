package io.kvstadium.server.redis.script;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** The library {@code cmsgpack}: values as MessagePack. */
final class MessagePack {
  /** Deeper tables are packed as nil. */
  private static final int DEEPEST = 16;

  /** Deeper ones are not unpacked. */
  private static final int DEEPEST_READ = 1_000;

  private MessagePack() {}

  static Protected library() {
    Protected table = new Protected();
    table.define("_NAME", LuaValue.valueOf("cmsgpack"));
    table.define("_VERSION", LuaValue.valueOf("lua-cmsgpack 0.4.0"));
    table.define("pack", Library.function(MessagePack::pack));
    table.define("unpack", Library.function(args -> unpack(args, 0, 0, true)));
    table.define("unpack_one", Library.function(args -> unpack(args, 1, args.optint(2, 0), false)));
    table.define(
        "unpack_limit",
        Library.function(args -> unpack(args, args.checkint(2), args.optint(3, 0), false)));
    return table;
  }

  private static Varargs pack(Varargs args) {
    if (args.narg() == 0) {
      throw new LuaError("bad argument #0 to 'pack' (MessagePack pack needs input.)");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (int i = 1; i <= args.narg(); i++) {
        write(out, args.arg(i), 0);
      }
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return LuaString.valueUsing(bytes.toByteArray());
  }

  private static void write(DataOutputStream out, LuaValue value, int depth) throws IOException {
    switch (value.type()) {
      case LuaValue.TSTRING -> {
        LuaString text = (LuaString) value;
        if (text.m_length < 32) {
          out.writeByte(0xa0 | text.m_length);
        } else if (text.m_length <= 0xff) {
          out.writeByte(0xd9);
          out.writeByte(text.m_length);
        } else {
          length(out, text.m_length, 0xda);
        }
        out.write(text.m_bytes, text.m_offset, text.m_length);
      }
      case LuaValue.TBOOLEAN -> out.writeByte(value.toboolean() ? 0xc3 : 0xc2);
      case LuaValue.TNUMBER -> number(out, value.todouble());
      case LuaValue.TTABLE -> {
        if (depth == DEEPEST) {
          out.writeByte(0xc0);
        } else {
          table(out, (LuaTable) value, depth);
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
      out.writeDouble(value);
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

  private static void table(DataOutputStream out, LuaTable table, int depth) throws IOException {
    int count = 0;
    double largest = 0;
    boolean isList = true;
    for (Varargs each = table.next(LuaValue.NIL);
        !each.arg1().isnil();
        each = table.next(each.arg1())) {
      count++;
      double key = each.arg1().type() == LuaValue.TNUMBER ? each.arg1().todouble() : 0;
      isList &= key > 0 && (int) key == key;
      largest = Math.max(largest, key);
    }
    isList &= largest == count;
    if (count <= 15) {
      out.writeByte((isList ? 0x90 : 0x80) | count);
    } else {
      length(out, count, isList ? 0xdc : 0xde);
    }
    if (isList) {
      for (int i = 1; i <= count; i++) {
        write(out, table.get(i), depth + 1);
      }
      return;
    }
    for (Varargs each = table.next(LuaValue.NIL);
        !each.arg1().isnil();
        each = table.next(each.arg1())) {
      write(out, each.arg1(), depth + 1);
      write(out, each.arg(2), depth + 1);
    }
  }

  private static Varargs unpack(Varargs args, int limit, int offset, boolean all) {
    LuaString text = args.checkstring(1);
    if (limit < 0 || offset < 0) {
      throw new LuaError(
          "Invalid request to unpack with offset of %d and limit of %d."
              .formatted(offset, text.m_length));
    }
    if (offset > text.m_length) {
      throw new LuaError(
          "Start offset %d greater than input length %d.".formatted(offset, text.m_length));
    }
    ByteBuffer in =
        ByteBuffer.wrap(text.m_bytes, text.m_offset + offset, text.m_length - offset).slice();
    List<LuaValue> found = new ArrayList<>();
    try {
      while (in.hasRemaining() && (all || found.size() < limit)) {
        found.add(read(in, 0));
      }
    } catch (BufferUnderflowException e) {
      throw new LuaError("Missing bytes in input.");
    }
    if (!all) {
      found.addFirst(LuaValue.valueOf(in.hasRemaining() ? offset + in.position() : -1));
    }
    return LuaValue.varargsOf(found.toArray(LuaValue[]::new));
  }

  private static LuaValue read(ByteBuffer in, int depth) {
    if (depth == DEEPEST_READ) {
      throw new LuaError("Too many nested tables in input.");
    }
    int type = in.get() & 0xff;
    if (type <= 0x7f || type >= 0xe0) {
      return LuaValue.valueOf((byte) type);
    }
    if (type <= 0x8f) {
      return map(in, type & 0xf, depth);
    }
    if (type <= 0x9f) {
      return list(in, type & 0xf, depth);
    }
    if (type <= 0xbf) {
      return text(in, type & 0x1f);
    }
    return switch (type) {
      case 0xc0 -> LuaValue.NIL;
      case 0xc2 -> LuaValue.FALSE;
      case 0xc3 -> LuaValue.TRUE;
      case 0xc4, 0xd9 -> text(in, in.get() & 0xff);
      case 0xc5, 0xda -> text(in, in.getShort() & 0xffff);
      case 0xc6, 0xdb -> text(in, in.getInt());
      case 0xca -> LuaValue.valueOf((double) in.getFloat());
      case 0xcb -> LuaValue.valueOf(in.getDouble());
      case 0xcc -> LuaValue.valueOf(in.get() & 0xff);
      case 0xcd -> LuaValue.valueOf(in.getShort() & 0xffff);
      case 0xce -> LuaValue.valueOf((double) (in.getInt() & 0xffff_ffffL));
      case 0xcf -> {
        long value = in.getLong();
        yield LuaValue.valueOf(value >= 0 ? (double) value : value + 0x1p64);
      }
      case 0xd0 -> LuaValue.valueOf(in.get());
      case 0xd1 -> LuaValue.valueOf(in.getShort());
      case 0xd2 -> LuaValue.valueOf(in.getInt());
      case 0xd3 -> LuaValue.valueOf((double) in.getLong());
      case 0xdc -> list(in, in.getShort() & 0xffff, depth);
      case 0xdd -> list(in, in.getInt(), depth);
      case 0xde -> map(in, in.getShort() & 0xffff, depth);
      case 0xdf -> map(in, in.getInt(), depth);
      default -> throw new LuaError("Bad data format in input.");
    };
  }

  private static LuaValue text(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return LuaString.valueUsing(bytes);
  }

  private static LuaValue list(ByteBuffer in, int count, int depth) {
    LuaTable list = new LuaTable();
    for (long i = 1; i <= (count & 0xffff_ffffL); i++) {
      list.rawset(LuaValue.valueOf((double) i), read(in, depth + 1));
    }
    return list;
  }

  private static LuaValue map(ByteBuffer in, int count, int depth) {
    LuaTable map = new LuaTable();
    for (long i = 0; i < (count & 0xffff_ffffL); i++) {
      LuaValue key = read(in, depth + 1);
      map.set(key, read(in, depth + 1));
    }
    return map;
  }
}

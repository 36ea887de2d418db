package io.kvstadium.server.redis.script;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/** Reads replies of commands as Lua values. */
final class RespReader {
  private RespReader() {}

  /** Reads one reply, which is complete and well-formed. */
  static LuaValue read(ByteBuf in) {
    char type = (char) in.readByte();
    return switch (type) {
      case '$' -> bulk(in);
      case ':' -> number(integer(in));
      case '+' -> field("ok", line(in));
      case '-' -> field("err", line(in));
      case '*' -> array(in);
      case '%' -> field("map", map(in));
      case '~' -> field("set", set(in));
      case '_' -> {
        line(in);
        yield LuaValue.NIL;
      }
      case '#' -> LuaValue.valueOf(line(in).luaByte(0) == 't');
      case ',' -> field("double", real(line(in).tojstring()));
      case '(' -> field("big_number", line(in));
      case '=' -> verbatim(in);
      default -> throw new IllegalStateException("no reply begins with " + type);
    };
  }

  private static LuaTable field(String name, LuaValue value) {
    LuaTable table = new LuaTable();
    table.rawset(LuaValue.valueOf(name), value);
    return table;
  }

  private static LuaValue number(long value) {
    return value == (int) value ? LuaValue.valueOf((int) value) : LuaValue.valueOf((double) value);
  }

  private static LuaValue real(String text) {
    return LuaValue.valueOf(
        switch (text) {
          case "inf" -> Double.POSITIVE_INFINITY;
          case "-inf" -> Double.NEGATIVE_INFINITY;
          case "nan" -> Double.NaN;
          default -> Double.parseDouble(text);
        });
  }

  private static LuaString line(ByteBuf in) {
    int end = in.bytesBefore((byte) '\r');
    byte[] text = new byte[end];
    in.readBytes(text).skipBytes(2);
    return LuaString.valueUsing(text);
  }

  private static long integer(ByteBuf in) {
    boolean negative = in.getByte(in.readerIndex()) == '-';
    if (negative) {
      in.skipBytes(1);
    }
    long value = 0;
    for (byte digit = in.readByte(); digit != '\r'; digit = in.readByte()) {
      value = value * 10 + (digit - '0');
    }
    in.skipBytes(1);
    return negative ? -value : value;
  }

  private static LuaValue bulk(ByteBuf in) {
    int length = (int) integer(in);
    if (length < 0) {
      return LuaValue.FALSE;
    }
    byte[] text = new byte[length];
    in.readBytes(text).skipBytes(2);
    return LuaString.valueUsing(text);
  }

  private static LuaValue verbatim(ByteBuf in) {
    int length = (int) integer(in);
    byte[] text = new byte[length];
    in.readBytes(text).skipBytes(2);
    LuaTable parts = new LuaTable();
    parts.set("format", LuaValue.valueOf(new String(text, 0, 3, StandardCharsets.ISO_8859_1)));
    parts.set("string", LuaString.valueOf(text, 4, length - 4));
    return field("verbatim_string", parts);
  }

  private static LuaValue array(ByteBuf in) {
    int size = (int) integer(in);
    if (size < 0) {
      return LuaValue.FALSE;
    }
    LuaTable list = new LuaTable(size, 0);
    for (int i = 1; i <= size; i++) {
      list.rawset(i, read(in));
    }
    return list;
  }

  private static LuaTable map(ByteBuf in) {
    LuaTable map = new LuaTable();
    for (long left = integer(in); left > 0; left--) {
      LuaValue key = read(in);
      map.rawset(key, read(in));
    }
    return map;
  }

  private static LuaTable set(ByteBuf in) {
    LuaTable set = new LuaTable();
    for (long left = integer(in); left > 0; left--) {
      set.rawset(read(in), LuaValue.TRUE);
    }
    return set;
  }
}

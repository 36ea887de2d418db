package io.kvstadium.lua;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The stack of the coroutine that runs, by which values pass between Lua and Java. Indices count
 * from 1 at the bottom, and from -1 at the top.
 *
 * <p>A call here must not make Lua throw: keys are neither nil nor NaN, there is room ({@link
 * #reserve}), and tables do not have metatables that count.
 */
final class Stack {
  static final int NONE = -1;
  static final int NIL = 0;
  static final int BOOLEAN = 1;
  static final int LIGHT = 2;
  static final int NUMBER = 3;
  static final int STRING = 4;
  static final int TABLE = 5;

  static final int REGISTRY = -10_000;
  static final int GLOBALS = -10_002;

  /** The first value that belongs to the function which was called. */
  static final int OWN = GLOBALS - 1;

  private static final String[] NAMES = {
    "no value",
    "nil",
    "boolean",
    "userdata",
    "number",
    "string",
    "table",
    "function",
    "userdata",
    "thread"
  };

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final int SCRATCH = 1 << 16;

  private final Memory memory;

  /** The coroutine. */
  private long state;

  private final MemorySegment scratch;

  Stack(Memory memory, Arena arena) {
    this.memory = memory;
    scratch = arena.allocate(SCRATCH, 8);
  }

  long state() {
    return state;
  }

  void state(long now) {
    state = now;
  }

  private static IllegalStateException failed(Throwable e) {
    return new IllegalStateException("a call of Lua failed", e);
  }

  /** Refuses what the script's memory does not hold. */
  void require(long bytes) {
    if (memory.lacks(bytes)) {
      throw new LuaError("not enough memory");
    }
  }

  /** Makes room for values. */
  void reserve(int count) {
    try {
      if ((int) Natives.CHECK_STACK.invokeExact(state, count) == 0) {
        throw new LuaError("stack overflow");
      }
    } catch (LuaError e) {
      throw e;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  int top() {
    try {
      return (int) Natives.GET_TOP.invokeExact(state);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void top(int index) {
    try {
      Natives.SET_TOP.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void pop(int count) {
    top(-count - 1);
  }

  int type(int index) {
    try {
      return (int) Natives.TYPE.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  String typeName(int index) {
    return NAMES[type(index) + 1];
  }

  boolean isMissing(int index) {
    return type(index) <= NIL;
  }

  /** A number, or a string that is one. */
  boolean isNumber(int index) {
    try {
      return (int) Natives.IS_NUMBER.invokeExact(state, index) != 0;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  boolean isText(int index) {
    int type = type(index);
    return type == STRING || type == NUMBER;
  }

  double number(int index) {
    try {
      return (double) Natives.TO_NUMBER.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  boolean truth(int index) {
    try {
      return (int) Natives.TO_BOOLEAN.invokeExact(state, index) != 0;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  long pointer(int index) {
    try {
      return (long) Natives.TO_POINTER.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** The bytes of a string; a number becomes one in its place. */
  byte[] bytes(int index) {
    try {
      long at = (long) Natives.TO_STRING.invokeExact(state, index, scratch.address());
      int length = Math.toIntExact(scratch.get(ValueLayout.JAVA_LONG, 0));
      byte[] copy = new byte[length];
      MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, at, copy, 0, length);
      return copy;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  String text(int index) {
    return new String(bytes(index), StandardCharsets.UTF_8);
  }

  /** The length of a string or of a list. */
  long length(int index) {
    try {
      return (long) Natives.LENGTH.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void nil() {
    try {
      Natives.PUSH_NIL.invokeExact(state);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void push(double number) {
    try {
      Natives.PUSH_NUMBER.invokeExact(state, number);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void push(boolean value) {
    try {
      Natives.PUSH_BOOLEAN.invokeExact(state, value ? 1 : 0);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void pushPointer(long address) {
    try {
      Natives.PUSH_POINTER.invokeExact(state, address);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void push(String text) {
    push(text.getBytes(StandardCharsets.UTF_8));
  }

  void push(byte[] text) {
    push(MemorySegment.ofArray(text));
  }

  void push(byte[] text, int offset, int length) {
    push(MemorySegment.ofArray(text).asSlice(offset, length));
  }

  /** Pushes the next bytes of a buffer, and skips them. */
  void push(ByteBuffer text, int length) {
    push(MemorySegment.ofBuffer(text.slice(text.position(), length)));
    text.position(text.position() + length);
  }

  private void push(MemorySegment text) {
    require(text.byteSize());
    if (text.byteSize() <= SCRATCH) {
      MemorySegment.copy(text, 0, scratch, 0, text.byteSize());
      pushString(scratch.address(), text.byteSize());
    } else {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment copy = arena.allocate(text.byteSize());
        copy.copyFrom(text);
        pushString(copy.address(), text.byteSize());
      }
    }
  }

  private void pushString(long at, long length) {
    try {
      Natives.PUSH_STRING.invokeExact(state, at, length);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void copy(int index) {
    try {
      Natives.PUSH_VALUE.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Moves the top to an index, above which all is shifted. */
  void insert(int index) {
    try {
      Natives.INSERT.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void remove(int index) {
    try {
      Natives.REMOVE.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Puts the top in the place of a value. */
  void replace(int index) {
    try {
      Natives.REPLACE.invokeExact(state, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Pushes a table with room for a list and for other entries. */
  void table(int list, int others) {
    require(16L * list + 40L * others + 64);
    try {
      Natives.CREATE_TABLE.invokeExact(state, list, others);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Sets an entry of a table, whose key and value are on top, and takes these. */
  void set(int table) {
    require(64);
    try {
      Natives.RAW_SET.invokeExact(state, table);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Sets an entry of the table below the top to the top, and takes that. */
  void set(String key) {
    push(key);
    insert(-2);
    set(-3);
  }

  /** Sets an entry of a list to the top, and takes that. */
  void set(int table, int index) {
    require(64);
    try {
      Natives.RAW_SET_AT.invokeExact(state, table, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Pushes an entry of a table. */
  void get(int table, String key) {
    push(key);
    try {
      Natives.RAW_GET.invokeExact(state, table < 0 && table > REGISTRY ? table - 1 : table);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  void get(int table, int index) {
    try {
      Natives.RAW_GET_AT.invokeExact(state, table, index);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Puts the entry after the key on top in that key's place; none leaves nothing. */
  boolean next(int table) {
    try {
      return (int) Natives.NEXT.invokeExact(state, table) != 0;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  // arguments of functions

  private LuaError wrong(int n, String function, String what) {
    return new LuaError("bad argument #%d to '%s' (%s)".formatted(n, function, what));
  }

  private LuaError expected(int n, String function, String type) {
    return wrong(n, function, type + " expected, got " + typeName(n));
  }

  double checkNumber(int n, String function) {
    if (!isNumber(n)) {
      throw expected(n, function, "number");
    }
    return number(n);
  }

  /** A number as an int, as a conversion in C does it. */
  int checkInt(int n, String function) {
    return (int) integer(checkNumber(n, function));
  }

  /** A number as an integer, as a conversion in C does it on most machines. */
  static long integer(double number) {
    return number >= -0x1p63 && number < 0x1p63 ? (long) number : Long.MIN_VALUE;
  }

  /** The nearest number to 64 bits without a sign; rounded once, so half of it keeps a lost bit. */
  static double unsigned(long bits) {
    return bits >= 0 ? (double) bits : ((bits >>> 1) | (bits & 1)) * 2.0;
  }

  int optInt(int n, int otherwise, String function) {
    return isMissing(n) ? otherwise : checkInt(n, function);
  }

  byte[] checkBytes(int n, String function) {
    if (!isText(n)) {
      throw expected(n, function, "string");
    }
    return bytes(n);
  }

  void checkTable(int n, String function) {
    if (type(n) != TABLE) {
      throw expected(n, function, "table");
    }
  }
}

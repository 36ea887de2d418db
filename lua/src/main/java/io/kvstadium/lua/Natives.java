package io.kvstadium.lua;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * Lua's functions in C. Pointers are numbers, which all supported platforms pass alike.
 *
 * <p>Those that neither allocate nor call back are called without a change of the thread's state.
 */
final class Natives {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LUA = load();

  static final MethodHandle NEW_STATE = slow("lua_newstate", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final MethodHandle CLOSE = slowVoid("lua_close", JAVA_LONG);
  static final MethodHandle NEW_THREAD = slow("lua_newthread", JAVA_LONG, JAVA_LONG);
  static final MethodHandle SET_HOOK =
      fastVoid("lua_sethook", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle GC = slow("lua_gc", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle LOAD_BUFFER =
      slow("luaL_loadbuffer", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final MethodHandle CALL =
      slow("lua_pcall", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle PUSH_CLOSURE =
      slowVoid("lua_pushcclosure", JAVA_LONG, JAVA_LONG, JAVA_INT);
  static final MethodHandle SET_UPVALUE =
      fast("lua_setupvalue", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle PUSH_STRING =
      slowVoid("lua_pushlstring", JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final MethodHandle TO_STRING =
      slow("lua_tolstring", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  static final MethodHandle CHECK_STACK = slow("lua_checkstack", JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle CREATE_TABLE =
      slowVoid("lua_createtable", JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle RAW_SET = slowVoid("lua_rawset", JAVA_LONG, JAVA_INT);
  static final MethodHandle RAW_SET_AT = slowVoid("lua_rawseti", JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle RAW_GET = fastVoid("lua_rawget", JAVA_LONG, JAVA_INT);
  static final MethodHandle RAW_GET_AT = fastVoid("lua_rawgeti", JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle NEXT = fast("lua_next", JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle LENGTH = fast("lua_objlen", JAVA_LONG, JAVA_LONG, JAVA_INT);
  static final MethodHandle TYPE = fast("lua_type", JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle IS_NUMBER = fast("lua_isnumber", JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle TO_NUMBER = fast("lua_tonumber", JAVA_DOUBLE, JAVA_LONG, JAVA_INT);
  static final MethodHandle TO_BOOLEAN = fast("lua_toboolean", JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle TO_POINTER = fast("lua_touserdata", JAVA_LONG, JAVA_LONG, JAVA_INT);
  static final MethodHandle GET_TOP = fast("lua_gettop", JAVA_INT, JAVA_LONG);
  static final MethodHandle SET_TOP = fastVoid("lua_settop", JAVA_LONG, JAVA_INT);
  static final MethodHandle INSERT = fastVoid("lua_insert", JAVA_LONG, JAVA_INT);
  static final MethodHandle REMOVE = fastVoid("lua_remove", JAVA_LONG, JAVA_INT);
  static final MethodHandle REPLACE = fastVoid("lua_replace", JAVA_LONG, JAVA_INT);
  static final MethodHandle PUSH_VALUE = fastVoid("lua_pushvalue", JAVA_LONG, JAVA_INT);
  static final MethodHandle PUSH_NIL = fastVoid("lua_pushnil", JAVA_LONG);
  static final MethodHandle PUSH_NUMBER = fastVoid("lua_pushnumber", JAVA_LONG, JAVA_DOUBLE);
  static final MethodHandle PUSH_BOOLEAN = fastVoid("lua_pushboolean", JAVA_LONG, JAVA_INT);
  static final MethodHandle PUSH_POINTER = fastVoid("lua_pushlightuserdata", JAVA_LONG, JAVA_LONG);
  static final MethodHandle PUSH_THREAD = fast("lua_pushthread", JAVA_INT, JAVA_LONG);
  static final MethodHandle MOVE = fastVoid("lua_xmove", JAVA_LONG, JAVA_LONG, JAVA_INT);

  /** Of C's own library. */
  static final MethodHandle REALLOC = ofC("realloc", true, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  static final MethodHandle FREE = ofC("free", false, JAVA_LONG, JAVA_LONG);

  private Natives() {}

  /** The address of a function. */
  static long address(String name) {
    return LUA.findOrThrow(name).address();
  }

  private static MethodHandle slow(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(LUA.findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  private static MethodHandle slowVoid(String name, MemoryLayout... arguments) {
    return LINKER.downcallHandle(LUA.findOrThrow(name), FunctionDescriptor.ofVoid(arguments));
  }

  private static MethodHandle fast(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LUA.findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        Linker.Option.critical(false));
  }

  private static MethodHandle fastVoid(String name, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LUA.findOrThrow(name), FunctionDescriptor.ofVoid(arguments), Linker.Option.critical(false));
  }

  private static MethodHandle ofC(String name, boolean returns, MemoryLayout... layouts) {
    MemoryLayout[] arguments = java.util.Arrays.copyOfRange(layouts, 1, layouts.length);
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        returns
            ? FunctionDescriptor.of(layouts[0], arguments)
            : FunctionDescriptor.ofVoid(arguments),
        Linker.Option.critical(false));
  }

  private static String fileName() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    boolean arm = machine.equals("aarch64") || machine.equals("arm64");
    if ((arm || machine.equals("amd64") || machine.equals("x86_64"))
        && (system.equals("linux") || system.startsWith("mac"))) {
      return "liblua51" + (arm ? "arm64" : "64") + (system.equals("linux") ? ".so" : ".dylib");
    }
    throw new UnsatisfiedLinkError(
        "scripts run on Linux and macOS on x86-64 and ARM64, not on " + system + " " + machine);
  }

  private static SymbolLookup load() {
    String name = fileName();
    Path folder = Path.of(System.getProperty("java.io.tmpdir", "."));
    try (InputStream in = Natives.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new UnsatisfiedLinkError("no " + name + " on the class path");
      }
      Path file = Files.createTempFile(folder, "stadium-lua", name);
      try {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        return SymbolLookup.libraryLookup(file, Arena.global());
      } finally {
        Files.delete(file); // what is mapped stays
      }
    } catch (IOException | IllegalArgumentException e) {
      throw (UnsatisfiedLinkError)
          new UnsatisfiedLinkError(
                  "Lua's library cannot be loaded from folder "
                      + folder
                      + " ("
                      + e.getMessage()
                      + "): let java.io.tmpdir be a folder that can be written and from which"
                      + " programs may run, as in JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/var/tmp")
              .initCause(e);
    }
  }
}

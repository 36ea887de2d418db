package io.kvstadium.engine.qdbm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * How functions of the library are found and called. Those with the same arguments share a method
 * here; it is inlined, so that a handle that is a constant for its caller is one for the compiler.
 */
@SuppressWarnings("restricted") // native code is what this package is about
final class Native {
  static final String LIBRARY = "libqdbm.so.14";
  static final int NO_ENTRY = 5;

  /** All of the address space, to read what the library points to. */
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final SymbolLookup SYMBOLS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());

  private static final MethodHandle ERROR = function("dpecodeptr", ADDRESS);
  private static final MethodHandle MESSAGE = function("dperrmsg", ADDRESS, JAVA_INT);

  private Native() {}

  /** Looks up a function of the library; {@code result} is null for void. */
  static MethodHandle function(String name, @Nullable MemoryLayout result, MemoryLayout... args) {
    FunctionDescriptor type =
        result == null ? FunctionDescriptor.ofVoid(args) : FunctionDescriptor.of(result, args);
    return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), type);
  }

  /** Looks up a function that takes only a handle. */
  static MethodHandle number(String name) {
    return function(name, JAVA_INT, ADDRESS);
  }

  /** What a global variable points to. */
  static MemorySegment variable(String name) {
    return MEMORY.get(ADDRESS, SYMBOLS.findOrThrow(name).address());
  }

  static int number(MethodHandle function, MemorySegment handle) {
    try {
      return (int) function.invokeExact(handle);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int number(MethodHandle function, MemorySegment handle, MemorySegment key, int length) {
    try {
      return (int) function.invokeExact(handle, key, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Calls a put that overwrites. */
  static boolean put(
      MethodHandle function,
      MemorySegment handle,
      MemorySegment key,
      int length,
      MemorySegment value,
      int size) {
    try {
      return (int) function.invokeExact(handle, key, length, value, size, 0) != 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Calls a function that is seldom called. */
  static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static byte[] copy(MemorySegment pointer, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(MEMORY, JAVA_BYTE, pointer.address(), bytes, 0, length);
    return bytes;
  }

  /** The code of the calling thread's last error. */
  static int error() {
    try {
      return MEMORY.get(JAVA_INT, ((MemorySegment) ERROR.invokeExact()).address());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The library's text for an error. */
  static String message(int code) {
    return MEMORY.getString(((MemorySegment) call(MESSAGE, code)).address());
  }

  static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("a call of " + LIBRARY + " could not be made", e);
  }
}

package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
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
  static final String LIBRARY = "libtokyocabinet.so.9";

  /** All of the address space, to read what the library points to. */
  static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final SymbolLookup SYMBOLS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());

  private static final MethodHandle FREE = function("tcfree", null, ADDRESS);
  private static final MethodHandle MESSAGE = function("tcerrmsg", ADDRESS, JAVA_INT);

  private Native() {}

  /** Looks up a function of the library; {@code result} is null for void. */
  static MethodHandle function(String name, @Nullable MemoryLayout result, MemoryLayout... args) {
    FunctionDescriptor type =
        result == null ? FunctionDescriptor.ofVoid(args) : FunctionDescriptor.of(result, args);
    return Linker.nativeLinker().downcallHandle(SYMBOLS.findOrThrow(name), type);
  }

  /** Looks up a function that takes an object and returns whether it succeeded. */
  static MethodHandle test(String name) {
    return function(name, JAVA_BOOLEAN, ADDRESS);
  }

  static boolean test(MethodHandle function, MemorySegment object) {
    try {
      return (boolean) function.invokeExact(object);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static boolean test(MethodHandle function, MemorySegment object, MemorySegment key, int length) {
    try {
      return (boolean) function.invokeExact(object, key, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static MemorySegment create(MethodHandle function) {
    try {
      return (MemorySegment) function.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void delete(MethodHandle function, MemorySegment object) {
    try {
      function.invokeExact(object);
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

  /** Frees what the library allocated; does nothing for a null pointer. */
  static void free(MemorySegment pointer) {
    delete(FREE, pointer);
  }

  static byte[] copy(MemorySegment pointer, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(MEMORY, JAVA_BYTE, pointer.address(), bytes, 0, length);
    return bytes;
  }

  /** The library's text for an error. */
  static String message(int code) {
    return MEMORY.getString(((MemorySegment) call(MESSAGE, code)).address());
  }

  static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("a call of " + LIBRARY + " could not be made", e);
  }
}

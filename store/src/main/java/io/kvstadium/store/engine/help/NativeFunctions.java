package io.kvstadium.store.engine.help;

import io.kvstadium.store.ValueReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandleProxies;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The functions of a native library in C that is installed on the system. Each is bound to a public
 * interface of one method, which has the function's types: {@link MemorySegment} for a pointer. If
 * it is kept in a constant, a call costs no more than the native one.
 */
@SuppressWarnings("restricted") // native code is what this class is about
public final class NativeFunctions {
  /** All of the address space, to read what a library points to. */
  public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final Map<Class<?>, MemoryLayout> LAYOUTS =
      Map.of(
          MemorySegment.class, ValueLayout.ADDRESS,
          boolean.class, ValueLayout.JAVA_BOOLEAN,
          byte.class, ValueLayout.JAVA_BYTE,
          int.class, ValueLayout.JAVA_INT,
          long.class, ValueLayout.JAVA_LONG);

  private final SymbolLookup symbols;

  /**
   * Why a library that the system brings cannot be used here, or {@code null} if it can.
   *
   * @param debian its package there
   * @param version what to install elsewhere, such as {@code QDBM 1.8}
   */
  public static @Nullable String missing(String library, String debian, String version) {
    return isInstalled(library)
        ? null
        : "%s is not installed: on Debian or Ubuntu, apt install %s; elsewhere on Linux install %s and have LD_LIBRARY_PATH name its directory"
            .formatted(library, debian, version);
  }

  /** Loads a library that {@link #isInstalled}, for good. */
  public NativeFunctions(String library) {
    this.symbols = SymbolLookup.libraryLookup(library, Arena.global());
  }

  /** Whether the system finds a library. */
  public static boolean isInstalled(String library) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup(library, arena);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  /** Binds a function. */
  public <F> F function(String name, Class<F> form) {
    Method method =
        Arrays.stream(form.getMethods())
            .filter(each -> Modifier.isAbstract(each.getModifiers()))
            .findFirst()
            .orElseThrow();
    MemoryLayout[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(NativeFunctions::layout)
            .toArray(MemoryLayout[]::new);
    FunctionDescriptor type =
        method.getReturnType() == void.class
            ? FunctionDescriptor.ofVoid(arguments)
            : FunctionDescriptor.of(layout(method.getReturnType()), arguments);
    return MethodHandleProxies.asInterfaceInstance(
        form, Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type));
  }

  private static MemoryLayout layout(Class<?> type) {
    return Objects.requireNonNull(LAYOUTS.get(type), () -> type + " is not passed to C here");
  }

  /** What a global variable points to. */
  public MemorySegment variable(String name) {
    return MEMORY.get(ValueLayout.ADDRESS, symbols.findOrThrow(name).address());
  }

  /** A copy of what a library points to. */
  public static byte[] copy(MemorySegment pointer, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, pointer.address(), bytes, 0, length);
    return bytes;
  }

  /**
   * Has what a library points to read in place; afterwards it cannot be any more.
   *
   * @param length in bytes, which must stay as they are meanwhile
   */
  public static <R extends @Nullable Object> R lend(
      MemorySegment pointer, int length, ValueReader<R> reader) {
    try (Arena arena = Arena.ofConfined()) {
      return reader.read(pointer.reinterpret(length, arena, null).asReadOnly());
    }
  }

  /** The text that a library points to. */
  public static String text(MemorySegment pointer) {
    return MEMORY.getString(pointer.address());
  }
}

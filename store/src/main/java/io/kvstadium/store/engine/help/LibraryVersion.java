package io.kvstadium.store.engine.help;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The version of a library as it was loaded, which need not be the one that an engine was built
 * with: applications and {@code --engine-path} choose their own.
 */
public final class LibraryVersion {
  /** What is said if nothing tells the version, for instance after a jar was renamed or merged. */
  public static final String UNKNOWN = "unknown";

  private static final String NUMBER = "(\\d[\\w.]*(?:-(?i:SNAPSHOT|(?:M|RC|alpha|beta)?\\d+))*)";

  private LibraryVersion() {}

  /**
   * The version in the name that Maven gives the jar of a class, without loading native code.
   *
   * @param library gives one of the library's classes; {@link #UNKNOWN} if it is not there
   * @param artifact the name of its jar before the version, such as {@code rocksdbjni}
   */
  public static String of(Supplier<Class<?>> library, String artifact) {
    return of(library, found -> found.getSimpleName() + ".class", artifact);
  }

  /**
   * The same for a jar without classes.
   *
   * @param beside gives a class whose loader has the jar
   * @param resource a file of the jar, from the root with a slash
   */
  public static String of(Supplier<Class<?>> beside, String resource, String artifact) {
    return of(beside, _ -> resource, artifact);
  }

  private static String of(
      Supplier<Class<?>> library, Function<Class<?>, String> resource, String artifact) {
    try {
      Class<?> found = library.get();
      return inLocation(String.valueOf(found.getResource(resource.apply(found))), artifact);
    } catch (LinkageError e) {
      return UNKNOWN; // the engine says that its library is missing
    }
  }

  /**
   * The version that a native library of the system has in a variable.
   *
   * @param library the library's file name
   * @param variable a global variable of type {@code char *}
   * @return the text; {@link #UNKNOWN} without the library, or where asking it would make the JVM
   *     warn because native access is not enabled
   */
  @SuppressWarnings("restricted") // only where it is enabled
  public static String ofNative(String library, String variable) {
    return ofNative(
        library,
        symbols ->
            symbols
                .findOrThrow(variable)
                .reinterpret(ValueLayout.ADDRESS.byteSize())
                .get(ValueLayout.ADDRESS, 0)
                .reinterpret(Long.MAX_VALUE)
                .getString(0));
  }

  /** The same of functions without arguments that each return a number of it, as an {@code int}. */
  public static String ofNumbers(String library, String... functions) {
    return ofNative(
        library,
        symbols ->
            Arrays.stream(functions)
                .map(function -> Integer.toString(number(symbols.findOrThrow(function))))
                .collect(Collectors.joining(".")));
  }

  /** The same of a variable that begins with so many numbers of type {@code uint16_t}. */
  @SuppressWarnings("restricted") // only where it is enabled
  public static String ofShorts(String library, String variable, int numbers) {
    return ofNative(
        library,
        symbols -> {
          MemorySegment all =
              symbols
                  .findOrThrow(variable)
                  .reinterpret(numbers * ValueLayout.JAVA_SHORT.byteSize());
          return IntStream.range(0, numbers)
              .mapToObj(i -> Integer.toString(all.getAtIndex(ValueLayout.JAVA_SHORT, i) & 0xFFFF))
              .collect(Collectors.joining("."));
        });
  }

  @SuppressWarnings("restricted") // only where it is enabled
  private static int number(MemorySegment function) {
    try {
      return (int)
          Linker.nativeLinker()
              .downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT))
              .invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e); // a function in C throws nothing
    }
  }

  @SuppressWarnings("restricted") // only where it is enabled
  private static String ofNative(String library, Function<SymbolLookup, String> ask) {
    if (!LibraryVersion.class.getModule().isNativeAccessEnabled()) {
      return UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      return ask.apply(SymbolLookup.libraryLookup(library, arena));
    } catch (IllegalArgumentException | NoSuchElementException _) {
      return UNKNOWN;
    }
  }

  /** The version in the location of a file of the jar, which may be in a jar itself. */
  static String inLocation(String location, String artifact) {
    Matcher jar =
        Pattern.compile("/" + Pattern.quote(artifact) + "-" + NUMBER + "[^/!]*\\.jar!")
            .matcher(location);
    return jar.find() ? jar.group(1) : UNKNOWN;
  }
}

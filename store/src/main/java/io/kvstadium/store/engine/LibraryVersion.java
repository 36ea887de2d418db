package io.kvstadium.store.engine;

import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    try {
      Class<?> found = library.get();
      return of(found, found.getSimpleName() + ".class", artifact);
    } catch (LinkageError e) {
      return UNKNOWN; // the engine says that its library is missing
    }
  }

  /**
   * The same for a jar without classes.
   *
   * @param beside a class whose loader has the jar
   * @param resource a file of the jar, from the root with a slash
   */
  public static String of(Class<?> beside, String resource, String artifact) {
    return inLocation(String.valueOf(beside.getResource(resource)), artifact);
  }

  /** The version in the location of a file of the jar, which may be in a jar itself. */
  static String inLocation(String location, String artifact) {
    Matcher jar =
        Pattern.compile("/" + Pattern.quote(artifact) + "-" + NUMBER + "[^/!]*\\.jar!")
            .matcher(location);
    return jar.find() ? jar.group(1) : UNKNOWN;
  }
}

package io.kvstadium.store.engine.help;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.Engine;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.IntPredicate;

/**
 * Refuses directories that an engine would not find by the name that Java has for them: it would
 * make its files in another one. To be called by {@link Engine#check}.
 */
public final class PathNames {
  private static final int ASCII = 0x80;

  private PathNames() {}

  /** For native code that is given names in UTF-8. */
  public static void forUtf8(String engine, Path path) {
    if (!isUtf8()) {
      refuse(
          engine,
          path,
          c -> c >= ASCII,
          "since this Java does not write names of files in UTF-8, as it does in a locale such as"
              + " LC_ALL=C.UTF-8");
    }
  }

  /** For native code whose JNI gets names by GetStringUTFChars, in Java's modified UTF-8. */
  public static void forModifiedUtf8(String engine, Path path) {
    forUtf8(engine, path);
    refuse(engine, path, Character::isSupplementaryCodePoint, "which JNI encodes differently");
  }

  /**
   * For code to which some characters mean something else.
   *
   * @param characters none of which a name may have
   */
  public static void without(String engine, Path path, String characters, String why) {
    refuse(engine, path, c -> characters.indexOf(c) >= 0, why);
  }

  private static void refuse(String engine, Path path, IntPredicate bad, String why) {
    for (Path name : path) {
      name.toString()
          .codePoints()
          .filter(bad)
          .findFirst()
          .ifPresent(c -> {
            throw new BadArgumentException(
                "engine %s would not find the directory %s because of the character %s (U+%04X), %s: use one without it in its name"
                    .formatted(engine, path, Character.toString(c), c, why));
          });
    }
  }

  /** Whether the names of files are what their UTF-8 is; on Windows they are UTF-16 anyway. */
  private static boolean isUtf8() {
    String charset = System.getProperty("sun.jnu.encoding", "UTF-8");
    return System.getProperty("os.name", "").startsWith("Windows")
        || (Charset.isSupported(charset)
            && Charset.forName(charset).equals(StandardCharsets.UTF_8));
  }
}

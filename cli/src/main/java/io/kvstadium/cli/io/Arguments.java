package io.kvstadium.cli.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The arguments, as the JVM decoded them. */
public final class Arguments {
  private static final String REPLACED = "\uFFFD";

  private Arguments() {}

  /**
   * What to tell the user if an argument could not be decoded. The JVM decodes them by the locale
   * and replaces what that does not have: two keys would become one.
   */
  public static @Nullable String undecoded(String... args) {
    String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
    return Stream.of(args)
        .filter(each -> each.contains(REPLACED) && !given(args))
        .findFirst()
        .map(each ->
            "the argument '"
                + each
                + (encoding.equals("UTF-8")
                    ? "' is not UTF-8: keys and values of other bytes are written 0x..."
                    : "' cannot be read in the locale's encoding, "
                        + encoding
                        + ": start with LC_ALL=C.UTF-8"))
        .orElse(null);
  }

  /** Whether the process was given exactly these arguments, replacement characters and all. */
  private static boolean given(String... args) {
    try {
      byte[] command = Files.readAllBytes(Path.of("/proc/self/cmdline"));
      byte[] own = (String.join("\0", args) + "\0").getBytes(UTF_8);
      int begin = command.length - own.length;
      return begin >= 0 && Arrays.equals(command, begin, command.length, own, 0, own.length);
    } catch (IOException e) { // not Linux
      return false;
    }
  }
}

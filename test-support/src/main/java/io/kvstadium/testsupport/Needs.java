package io.kvstadium.testsupport;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Skips tests for want of something outside this project, always by a message that begins with
 * {@code needs}: {@code ./test} lists those at its end, and in CI each is an error.
 */
public final class Needs {
  private Needs() {}

  /**
   * Skips the test unless a program is there.
   *
   * @param debian the Debian package that has it
   * @return where it is
   */
  public static Path program(String name, String debian) {
    Optional<Path> found =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)),
                Stream.of("/usr/sbin", "/sbin"))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    that(found.isPresent(), name, debian);
    return found.orElseThrow();
  }

  /**
   * Skips the test unless this holds.
   *
   * @param what what is missing otherwise
   * @param debian the Debian packages that bring it
   */
  public static void that(boolean there, String what, String debian) {
    that(there, what + " (Debian: " + debian + ")");
  }

  /**
   * Skips the test if there is a reason to.
   *
   * @param reason a sentence that says what is missing, or {@code null}
   */
  public static void none(@Nullable String reason) {
    assumeTrue(reason == null, "needs: " + reason);
  }

  /**
   * Skips the test unless this holds.
   *
   * @param what what is missing otherwise, and where it comes from
   */
  public static void that(boolean there, String what) {
    assumeTrue(there, "needs " + what);
  }
}

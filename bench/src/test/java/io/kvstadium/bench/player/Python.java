package io.kvstadium.bench.player;

import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Python of this machine. */
public final class Python {
  private static final String CHECK = "import sys; sys.exit(sys.version_info < (3, 11))";

  private Python() {}

  /**
   * The interpreter that {@code STADIUM_PYTHON} names, or one of this machine's; without one that
   * is new enough, the test is skipped.
   */
  public static String interpreter() {
    String named = System.getenv("STADIUM_PYTHON");
    String found =
        Stream.of(named, "python3", "python3.13", "python3.12", "python3.11")
            .filter(Objects::nonNull)
            .filter(Python::suits)
            .findFirst()
            .orElse(null);
    Needs.that(found != null, "Python 3.11 or newer", "python3");
    return Objects.requireNonNull(found);
  }

  private static boolean suits(@Nullable String python) {
    try {
      return new ProcessBuilder(List.of(String.valueOf(python), "-c", CHECK))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no program of this name
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

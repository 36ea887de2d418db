package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the command, in a binary distribution. */
class LauncherTest {
  private static final Path BUILT = Checkout.ROOT.resolve("target/dist");

  @TempDir private Path directory;

  @BeforeEach
  void layOut() throws Exception {
    Path dist = Files.createDirectory(directory.resolve("dist"));
    Files.copy(Checkout.ROOT.resolve("stadium"), directory.resolve("stadium"));
    Files.copy(Checkout.ROOT.resolve("packaging/jdk.sh"), dist.resolve("jdk.sh"));
    for (String part : List.of("lib", "engines")) {
      Files.createSymbolicLink(dist.resolve(part), BUILT.resolve(part));
    }
    // an empty cache of classes: making one takes longer than the tests
    sh(
        "mkdir dist/cache && sum=$(cksum <\"$JAVA_HOME/release\") && : >\"dist/cache/${sum%%"
            + " *}.aot\"");
  }

  private Checkout.Run sh(String script) throws Exception {
    return Checkout.run(directory, List.of("sh", "-c", script));
  }

  @Test
  void withoutALocaleTwoNamesAreStillTwoKeys() throws Exception {
    Checkout.Run run =
        sh(
            """
            export LC_ALL=C
            sh stadium put sqlite:a "$(printf 'J\\303\\266rg')" 1 --create &&
            sh stadium put sqlite:a "$(printf 'J\\303\\274rg')" 2 &&
            sh stadium scan sqlite:a
            """);

    assertThat(run.said()).containsSubsequence("Jörg", "1", "Jürg", "2");
  }

  @Test
  void aClosedInputIsNotOneOfTheJvmsFiles() throws Exception {
    Checkout.Run run = sh("exec sh stadium put sqlite:a key - --create <&-");

    assertThat(run.exit()).as(run.said()).isEqualTo(2);
    assertThat(run.said()).contains("standard input");
    assertThat(sh("exec sh stadium get sqlite:a key").exit()).isNotZero();
  }
}

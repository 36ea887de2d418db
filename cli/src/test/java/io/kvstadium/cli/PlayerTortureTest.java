package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills of stores that players use: the player in Python, as it is and with faults in it. */
class PlayerTortureTest {
  private static final Path SOURCES = Repository.root().resolve("players/python/src");

  @TempDir Path directory;

  @BeforeEach
  void needsPython() throws Exception {
    Process version =
        new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))")
            .start();
    Needs.that(version.waitFor() == 0, "Python 3.11 or newer", "python3");
  }

  private Cli.Run torture(String language) {
    return new Cli(directory)
        .run("torture", "sqlite:", "--language", language, "--faults", "kill", "--rounds", 3);
  }

  /** The player with another text in one of its files. */
  private String faulty(String file, String right, String wrong) throws IOException {
    Path folder = Files.createDirectory(directory.resolve("a player, changed"));
    for (String each : List.of("__main__.py", "engines.py", "traces.py")) {
      String text = Files.readString(SOURCES.resolve(each));
      assertThat(text.contains(right) || !each.equals(file)).isTrue();
      Files.writeString(
          folder.resolve(each), each.equals(file) ? text.replace(right, wrong) : text);
    }
    return "python=python3 -B '" + folder + "'";
  }

  @Test
  void oneThatKeepsItsLevelsIsCleared() {
    Cli.Run run = torture("python");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.outLines())
        .filteredOn(line -> line.endsWith("kept"))
        .hasSize(3)
        .allSatisfy(line -> assertThat(line.split(" +")[4]).isNotEqualTo("0"));
  }

  @Test
  void writesThatAreAcknowledgedEarlyAreFoundAndRepeated() throws IOException {
    Cli.Run run = torture(faulty("__main__.py", "self.ended += 1", "self.ended += 3"));

    assertThat(run.exit()).isOne();
    assertThat(run.out()).contains("LOST_ACK", "torture --language 'python=python3 -B ");
    String repeat =
        run.outLines().stream().filter(line -> line.contains("--replay")).findFirst().orElseThrow();
    assertThat(repeat).contains("'sqlite: level=process held=process fault=kill threads=1 seed=");
  }

  @Test
  void anErrorOfAPlayerIsAFindingWithItsWords() throws IOException {
    Cli.Run run =
        torture(
            faulty(
                "engines.py",
                "    def delete(self, key):",
                "    def delete(self, key):\n        raise OSError('the store is on fire')"));

    assertThat(run.exit()).isOne();
    assertThat(run.out()).contains("the store is on fire");
  }
}

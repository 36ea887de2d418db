package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.testsupport.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What a process is given, and what it leaves: arguments, standard streams, the exit code. */
class StreamsTest {
  @TempDir private Path directory;

  @Test
  void anArgumentThatTheLocaleCannotHoldIsRefused() {
    String line = new Cli(directory).line("put", "sqlite:a", "--create");
    String key = " \"$(printf 'J\\303\\266rg')\" 1";

    Run ascii = new Cli(directory).sh("LC_ALL=C " + line + key);
    Run other = new Cli(directory).sh("LC_ALL=C.UTF-8 " + line + key.replace("\\303", "\\377"));

    assertThat(ascii.exit()).isEqualTo(2);
    assertThat(ascii.err()).hasLineCount(1).contains("LC_ALL");
    assertThat(other.exit()).isEqualTo(2);
    assertThat(other.err()).hasLineCount(1).contains("UTF-8");
    assertThat(directory.resolve("a")).doesNotExist();
  }

  /** Whatever a command prints with: a print stream, picocli's writer, a stream of bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"bench --show quick", "--help", "export sqlite:a - --format jsonl"})
  void whatCannotBeWrittenIsNoSuccess(String command) {
    Needs.that(Files.exists(Path.of("/dev/full")), "/dev/full, which Linux has");
    try (Store store = Stadium.open("sqlite:" + directory.resolve("a"))) {
      store.table().put("k".getBytes(UTF_8), "v".getBytes(UTF_8));
    }
    Cli cli = new Cli(directory);

    Run full = cli.sh(cli.line((Object[]) command.split(" ", -1)) + " >/dev/full");

    assertThat(full.exit()).isEqualTo(2);
    assertThat(full.err()).hasLineCount(1).contains("No space left");
  }

  @Test
  void aReaderThatHasGoneIsNoMistake() {
    Cli cli = new Cli(directory);

    Run run = cli.sh("{ " + cli.line("bench", "--show", "quick") + "; echo $? >&2; } | true");

    assertThat(run.err()).isEqualTo("0\n");
  }

  @Test
  void tooLittleMemoryIsNotTheAnswerNo() {
    Cli cli = new Cli(directory).withJvmArgument("-Xmx32m");

    Run run =
        cli.sh("head -c 99999999 /dev/zero | " + cli.line("put", "sqlite:a", "k", "-", "--create"));

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("out of memory", "-Xmx");
  }

  @Test
  void aFailureThatNobodyForesawIsOneLineWithItsDetailsInAFile() {
    Run run =
        new Cli(directory)
            .withMain(Failing.class.getName())
            .withProperty("user.home", directory)
            .run();

    Path details = directory.resolve(".local/state/kv-stadium/failure.txt");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("no one thought of it", details.toString());
    assertThat(details).content().contains("no one thought of it", "at io.kvstadium.cli");
  }

  /** A command with a defect. */
  @Command
  static final class Failing implements Callable<Integer> {
    private Failing() {}

    public static void main(String[] args) {
      CommandLine command = new CommandLine(new Failing());
      Mistakes.handle(command, _ -> "", () -> "");
      System.exit(command.execute());
    }

    @Override
    public Integer call() {
      throw new IllegalStateException("no one thought of it");
    }
  }
}

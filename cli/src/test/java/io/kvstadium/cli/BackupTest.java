package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.io.Mistakes;
import io.kvstadium.cli.move.BackupCommand;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Backups by the command. It is a thin layer, so it runs in this process. */
class BackupTest {
  @TempDir private Path directory;
  private String url;
  private Path backups;

  private record Run(int exit, String out) {}

  @BeforeEach
  void fill() {
    url = "lmdb:" + directory.resolve("store");
    backups = directory.resolve("backups");
    put("a");
  }

  private void put(String key) {
    try (Store store = Stadium.open(url)) {
      store.table().put(key.getBytes(UTF_8), new byte[100]);
    }
  }

  private static Run backup(Object... arguments) {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new BackupCommand()).setOut(new PrintWriter(out));
    command.setExecutionExceptionHandler((exception, _, _) -> {
      if (exception instanceof BadArgumentException) {
        out.write(exception.getMessage());
        return Mistakes.USAGE;
      }
      throw exception;
    });
    int exit = command.execute(Stream.of(arguments).map(String::valueOf).toArray(String[]::new));
    return new Run(exit, out.toString());
  }

  @Test
  void areMadeListedVerifiedPrunedAndRestored() {
    assertThat(backup(url, backups).out()).startsWith("backup 1: ").contains("of it copied, in ");
    put("b");
    assertThat(backup(url, backups, "--keep", 5, "--max-rate", "1g").out())
        .contains("backup 2: ", "nothing to remove");

    assertThat(backup("list", backups).out().lines())
        .hasSize(3)
        .anySatisfy(line -> assertThat(line).contains("   2  20", "lmdb", "files"));
    assertThat(backup("verify", backups))
        .isEqualTo(new Run(0, "backup 1 is intact\nbackup 2 is intact\n"));
    String first = directory.resolve("first").toString();
    assertThat(backup("restore", backups, first, "--id", 1))
        .isEqualTo(new Run(0, "restored backup 1 to lmdb:" + first + "\n"));
    String last = "lmdb:" + directory.resolve("last") + "?map_size=64m";
    assertThat(backup("restore", backups, last).out()).contains("restored backup 2 to " + last);
    assertThat(backup("prune", backups, "--keep", 1)).isEqualTo(new Run(0, "removed 1\n"));

    try (Store one = Stadium.open("lmdb:" + first);
        Store two = Stadium.open(last)) {
      assertThat(one.table().count()).isEqualTo(1);
      assertThat(two.table().count()).isEqualTo(2);
    }
  }

  @Test
  void aBadBackupIsExitCode1() throws IOException {
    backup(url, backups);
    try (Stream<Path> files = Files.list(backups.resolve("files"))) {
      Path data = files.max(Comparator.comparingLong(file -> file.toFile().length())).orElseThrow();
      Files.write(data, List.of("damage"));
    }

    Run run = backup("verify", backups);

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains("backup 1, file data.mdb: ", "instead of");
  }

  @Test
  void aStoreThatIsBeingFilledIsNoBackup() {
    try (Store store = Stadium.open(url)) {
      Stores.markIncomplete(store, "an import from a file\nmore");
    }

    assertThat(backup(url + "?incomplete=true", backups))
        .isEqualTo(
            new Run(
                2,
                url
                    + "?incomplete=true is not complete: an import from a file has not finished:"
                    + " back it up when that is done"));
    assertThat(backups).doesNotExist();
  }

  @Test
  void whatIsMissingIsNamed() {
    assertThat(backup(url)).isEqualTo(new Run(2, backup().out()));
    assertThat(backup().out()).contains("give the URL of a store and a directory");
    assertThat(backup("lmdb:" + directory.resolve("nosuch"), backups).out())
        .contains("there is no lmdb store");
    assertThat(backup("list", backups).out()).isEqualTo("no backups in " + backups + "\n");
    assertThat(backup("restore", backups, directory.resolve("x")).out())
        .contains("there are no backups");
    assertThat(backup("list", directory).out()).contains("holds files that are not backups");
    assertThat(backup(url, backups, "--keep", 0).out()).contains("keep at least 1");
    assertThat(backup(url, backups, "--max-rate", "fast").out())
        .contains("--max-rate 'fast' is not a valid size: write 4096");
    assertThat(backup(url, backups, "--max-rate", 0).out()).contains("give at least 1");
    assertThat(backups).doesNotExist();
  }
}

package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import io.kvstadium.testsupport.Randomness;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A few rounds on each available engine at each level that promises something. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class TortureTest {
  /** The command's exit code if it could not begin. */
  private static final int NOT_BEGUN = 2;

  /** Slowest first. Levels that power cuts are known to break are tested only with kills. */
  @ParameterizedTest(name = "{0} at {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mysql:                  | power            | kill,server,power
          mysql:                  | process          | kill,server
          postgresql:             | power            | kill,server,power
          postgresql:             | process          | kill,server
          h2:                     | power            | kill,power
          h2:                     | process          | kill
          rocksdb:                | consistent,power | kill,power
          rocksdb:                | process          | kill
          lmdb:                   | consistent,power | kill,power
          lmdb:                   | process          | kill
          mdbx:                   | power            | kill,power
          mdbx:                   | process          | kill
          sqlite:                 | consistent,power | kill,power
          sqlite:                 | process          | kill
          berkeleydb:             | power            | kill,power
          berkeleydb:             | process          | kill
          speedb:                 | power            | kill,power
          speedb:                 | process          | kill
          mvstore:                | power            | kill,power
          xodus:?log_file_size=1m | power            | kill,power
          mvstore:                | process          | kill
          xodus:?log_file_size=1m | process          | kill
          tokyocabinet:           | process          | kill
          leveldb:                | power            | kill,power
          leveldb:                | process          | kill
          sparkey:                | power            | kill,power
          sparkey:                | process          | kill
          halodb:                 | power            | kill,power
          halodb:                 | process          | kill
          """)
  void noPromiseIsBroken(String url, String levels, String faults, @TempDir Path directory)
      throws Exception {
    Checkout.Run run =
        Checkout.stadium(
            directory,
            List.of(
                "torture",
                url,
                "--durability",
                levels,
                "--faults",
                faults,
                "--rounds",
                "2",
                "--seed",
                Long.toString(Randomness.seed(url + levels) & Integer.MAX_VALUE),
                "--require"));

    boolean begun =
        run.exit() != NOT_BEGUN
            || !run.said().matches("(?s).*(cannot be used|is not possible) here.*");
    Needs.none(begun ? null : run.said().strip());
    assertThat(run.exit()).as(run.said()).isZero();
  }
}

package io.kvstadium.store.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.engine.Failure.Blocks;
import io.kvstadium.store.engine.Failure.Kind;
import io.kvstadium.store.engine.OptionSpec.Scope;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeclarationsTest {
  private static ByteArrayInputStream lines(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  @Test
  void anOptionIsALineOfEachType() {
    assertThat(
            Declarations.options(
                lines(
                    """
                    mode | choice wal,delete | store | wal | how
                    sync | bool | table | false | whether
                    file | text | store |  | where
                    cache | size 1k..1t | store |  | how much
                    wait | duration 0ms..24h | store | 5s | how long
                    rate | decimal 0..1 | table | 0.5 | which part
                    readers | integer -1..1000 | store | 8 | how many: a | b
                    """)))
        .containsExactly(
            OptionSpec.choice("mode", Scope.STORE, "wal", List.of("wal", "delete"), "how"),
            OptionSpec.bool("sync", Scope.TABLE, "false", "whether"),
            OptionSpec.text("file", Scope.STORE, "", "where"),
            OptionSpec.size("cache", Scope.STORE, "", "1k", "1t", "how much"),
            OptionSpec.duration("wait", Scope.STORE, "5s", "0ms", "24h", "how long"),
            OptionSpec.decimal("rate", Scope.TABLE, "0.5", "0", "1", "which part"),
            OptionSpec.integer("readers", Scope.STORE, "8", -1, 1000, "how many: a | b"));
  }

  @Test
  void anOptionSaysWhatElseIsWorthTrying() {
    String line = "cache | size 1k..1t; usual 8m; on heap; try data/4,64m | store |  | how much";

    assertThat(Declarations.options(lines(line)))
        .containsExactly(
            OptionSpec.size("cache", Scope.STORE, "", "1k", "1t", "how much")
                .withTuning(new OptionSpec.Tuning("8m", true, List.of("data/4", "64m"))));
  }

  @Test
  void aFailureIsALineForAllOfItsCodes() {
    assertThat(
            Declarations.failures(
                lines(
                    """
                    -1 full | FULL | the disk is full | make room | WRITES
                    2 | IO | a call failed |
                    """)))
        .isEqualTo(
            Map.of(
                "-1", new Failure(Kind.FULL, "the disk is full", "make room", Blocks.WRITES),
                "full", new Failure(Kind.FULL, "the disk is full", "make room", Blocks.WRITES),
                "2", new Failure(Kind.IO, "a call failed", "", Blocks.ALL)));
  }
}

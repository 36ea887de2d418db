package io.kvstadium.store.engine.declare;

import static io.kvstadium.store.engine.declare.OptionSpec.Scope.STORE;
import static io.kvstadium.store.engine.declare.OptionSpec.Scope.TABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.store.Capability;
import io.kvstadium.store.engine.declare.Failure.Blocks;
import io.kvstadium.store.engine.declare.Failure.Kind;
import io.kvstadium.store.engine.declare.OptionSpec.Bounds;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        .extracting(
            OptionSpec::name,
            OptionSpec::type,
            OptionSpec::scope,
            OptionSpec::fallback,
            OptionSpec::choices,
            OptionSpec::range,
            OptionSpec::description)
        .containsExactly(
            tuple(
                "mode",
                OptionSpec.Type.CHOICE,
                STORE,
                "wal",
                List.of("wal", "delete"),
                null,
                "how"),
            tuple("sync", OptionSpec.Type.BOOLEAN, TABLE, "false", List.of(), null, "whether"),
            tuple("file", OptionSpec.Type.TEXT, STORE, "", List.of(), null, "where"),
            tuple(
                "cache",
                OptionSpec.Type.SIZE,
                STORE,
                "",
                List.of(),
                new Bounds("1k", "1t"),
                "how much"),
            tuple(
                "wait",
                OptionSpec.Type.DURATION,
                STORE,
                "5s",
                List.of(),
                new Bounds("0ms", "24h"),
                "how long"),
            tuple(
                "rate",
                OptionSpec.Type.DECIMAL,
                TABLE,
                "0.5",
                List.of(),
                new Bounds("0", "1"),
                "which part"),
            tuple(
                "readers",
                OptionSpec.Type.INTEGER,
                STORE,
                "8",
                List.of(),
                new Bounds("-1", "1000"),
                "how many: a | b"));
  }

  @Test
  void anOptionSaysWhatElseIsWorthTrying() {
    OptionSpec option =
        Declarations.option(
            "cache | size 1k..1t; usual 8m; on heap; try data/4,64m | store |  | how much");

    assertThat(option.tuning())
        .isEqualTo(new OptionSpec.Tuning("8m", true, List.of("data/4", "64m")));
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

  @Test
  void anEngineIsDeclaredByItsFiles() {
    Map<String, String> files =
        Map.of(
            "engine.txt",
            """
            name | toy
            title | Toy
            version | {version}
            licence | Apache-2.0
            description | A map; another line.
            upstream | Nobody's.
            on-disk | true
            legacy | true
            capabilities | write ordered-scan
            # as long as a page
            max-key | 4k
            durability | none | unsynced | seconds | one-commit |
            durability | power | synced, a=b | nothing | nothing | documented https://example.org/a b
            """,
            "notes.txt",
            "Toy {version} is a toy.\n");

    EngineInfo info =
        Declarations.info(name -> files.containsKey(name) ? lines(files.get(name)) : null, "1.2");

    assertThat(info)
        .isEqualTo(
            new EngineInfo(
                "toy",
                "Toy",
                "1.2",
                "Apache-2.0",
                "A map; another line.",
                "Nobody's.",
                true,
                Set.of(Capability.WRITE, Capability.ORDERED_SCAN),
                new Limits(4096, Limits.MAX_ARRAY),
                DurabilityMapping.levels(
                    DurabilityMapping.none("unsynced", Loss.SECONDS, Loss.ONE_COMMIT),
                    DurabilityMapping.power(
                        "synced, a=b", Evidence.documented("https://example.org/a b"))),
                List.of(),
                List.of("Toy 1.2 is a toy."),
                true));
  }
}

package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that move data, as processes. */
class MovingTest {
  private static final int ENTRIES = 300;

  @TempDir private Path directory;

  @BeforeEach
  void fill() {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("a"))) {
      store.write(batch -> {
        for (int i = 0; i < ENTRIES; i++) {
          batch.on(store.table("users")).put(("user" + i).getBytes(UTF_8), new byte[i]);
        }
      });
    }
  }

  private Run run(Object... arguments) {
    return new Cli(directory).run(arguments);
  }

  @Test
  void aCopyIsProvenAndLookedAt() throws IOException {
    Run copy = run("copy", "lmdb:a", "sqlite:b", "--table", "users=people");

    assertThat(copy.err()).isEmpty();
    assertThat(copy.exit()).isZero();
    assertThat(copy.outLines().getFirst())
        .startsWith("Copied 300 entries (45.7 KiB) of 1 table in");
    assertThat(copy.out()).containsPattern("Identical: both have the sum [0-9a-f]{32}\\.");

    JsonNode stat = new ObjectMapper().readTree(run("stat", "sqlite:b", "--json").out());

    JsonNode people = stat.get("tables").get(1);
    assertThat(people.get("name").asText()).isEqualTo("people");
    assertThat(people.get("entries").asInt()).isEqualTo(ENTRIES);
    assertThat(people.get("keyBytes").get("most").asInt()).isEqualTo("user299".length());
    assertThat(people.get("valueBytes").get("median").asInt()).isEqualTo(149);
    assertThat(stat.get("files").get(0).get("bytes").asLong()).isPositive();
    assertThat(run("stat", "lmdb:a").outLines())
        .allMatch(line -> line.length() <= Lines.WIDTH)
        .anyMatch(line -> line.matches("users +300 +7 +7 +7 +149 +296 +299"));
  }

  @Test
  void aDumpIsImportedAndADamagedOneReported() throws IOException {
    Run export = run("export", "lmdb:a", "a.kvdump");

    assertThat(export.exit()).isZero();
    assertThat(export.out()).isEmpty();
    assertThat(export.err()).startsWith("Exported 300 entries (45.7 KiB) of 2 tables, sum ");
    Run whole = run("import", "a.kvdump", "rocksdb:b");
    assertThat(whole.out().replaceAll("\\s+", " "))
        .startsWith("Imported 300 entries (45.7 KiB)")
        .contains("the store holds exactly that.");
    Path file = directory.resolve("a.kvdump");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));

    Run damaged = run("import", "a.kvdump", "rocksdb:c");

    assertThat(damaged.exit()).isEqualTo(2);
    assertThat(damaged.err())
        .startsWith("stadium: damaged dump: block ")
        .contains("the dump ends within it", "Imported until there: 300 entries");
    assertThat(run("stat", "rocksdb:c").out()).contains("INCOMPLETE: an import has not ended");
  }
}

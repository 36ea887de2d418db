package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.ProgressLine;
import io.kvstadium.store.Move;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.transfer.CopyProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The commands that move data, as processes. */
@TestInstance(Lifecycle.PER_CLASS)
class MovingTest {
  private static final int ENTRIES = 300;

  private Path directory;
  private Resident stadium;

  @BeforeAll
  void begin(@TempDir Path fresh) {
    directory = fresh;
    stadium = new Resident(directory);
  }

  @AfterAll
  void end() {
    stadium.close();
  }

  @BeforeEach
  void fill() throws IOException {
    stadium.clear();
    try (Store store = Stadium.open("lmdb:" + directory.resolve("a"))) {
      store.write(batch -> {
        for (int i = 0; i < ENTRIES; i++) {
          batch.put(store.table("users"), ("user" + i).getBytes(UTF_8), new byte[i]);
        }
      });
    }
  }

  private Run run(Object... arguments) {
    return stadium.run(arguments);
  }

  @Test
  void aMistakeInTheTargetIsSaidOfTheUrlThatWasGiven() {
    Run copy = run("copy", "lmdb:a", "rocksdb:b?sync_every=soon");

    assertThat(copy.exit()).isEqualTo(2);
    assertThat(copy.err()).contains("in 'rocksdb:b?sync_every=soon'");
    assertThat(directory.resolve("b")).doesNotExist();
  }

  @Test
  void whatIsRefusedLeavesNoStore() throws IOException {
    Files.writeString(
        directory.resolve("long.jsonl"),
        "{\"key\":\"a\",\"value\":\"\"}\n{\"key\":\"" + "k".repeat(512) + "\",\"value\":\"\"}\n");

    Run oversized = run("import", "long.jsonl", "lmdb:b");
    Run misnamed = run("copy", "lmdb:a", "rocksdb:b", "--table", "user");

    assertThat(oversized.exit()).isEqualTo(2);
    assertThat(oversized.err()).contains("lmdb:b cannot hold 1 entry of what is imported");
    assertThat(misnamed.exit()).isEqualTo(2);
    assertThat(directory.resolve("b")).doesNotExist();
  }

  @Test
  void anApplicationsMoveIsSteeredFromOutside() throws InterruptedException {
    assertThat(run("move", "status", "lmdb:a").exit()).isEqualTo(2);
    BlockingQueue<Move.State> states = new LinkedBlockingQueue<>();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void moved(Move.Status status) {
            states.add(status.state());
          }
        };
    try (Store store =
        Stadium.open(
            "lmdb:" + directory.resolve("a"),
            OpenOptions.DEFAULT.listener(listener).moveTo("rocksdb:" + directory.resolve("b")))) {
      while (states.take() != Move.State.IN_STEP) {}

      assertThat(run("move", "status", "rocksdb:b").out()).contains("in-step");
      Run over = run("move", "over", "lmdb:a", "--wait", "20s", "--verify");
      assertThat(over.exit()).as(over.err()).isZero();
      assertThat(store.move().status().state()).isEqualTo(Move.State.OVER);
      assertThat(run("move", "cancel", "lmdb:a").exit()).isEqualTo(2);
      store.table("users").put("new".getBytes(UTF_8), new byte[1]);
      assertThat(run("move", "back", "lmdb:a", "--wait", "20s").exit()).isZero();
    }

    Run unused = run("move", "status", "lmdb:a");
    Run over = run("move", "over", "lmdb:a", "--wait", "20s");
    Run finish = run("move", "finish", "rocksdb:b");
    Run read = run("get", "rocksdb:b", "new", "--table", "users");

    assertThat(unused.exit()).isZero();
    assertThat(over.exit()).as(over.err()).isZero();
    assertThat(finish.exit()).as(finish.err()).isZero();
    assertThat(read.exit()).as(read.err()).isZero();
    assertThat(run("move", "status", "lmdb:a").out()).contains("finished");
  }

  @Test
  void textFilesAreReadTwice() throws IOException {
    Files.writeString(directory.resolve("a.jsonl"), "{\"key\":\"a\",\"value\":\"1\"}\n");
    Files.writeString(directory.resolve("a.csv"), "key,value\r\nb,2\r\n");

    Run json = run("import", "a.jsonl", "lmdb:b");
    Run csv = run("import", "a.csv", "lmdb:b", "--merge");

    assertThat(json.err() + csv.err()).isEmpty();
    assertThat(json.exit() + csv.exit()).isZero();
    assertThat(run("scan", "lmdb:b").out()).contains("a", "1", "b", "2");
  }

  @Test
  void theTimeLeftIsSaidOfAnyTable() {
    try (ProgressLine line = new ProgressLine()) {
      CopyProgress progress =
          new CopyProgress(
              CopyProgress.Step.VERIFY, "t".repeat(64), 1_000_000_000, 1L << 39, 2_000_000_000);

      assertThat(Lines.cut(line.line(progress, 10_000), Lines.WIDTH - 1))
          .matches("verify: 1,000,000,000 entries, .* 50 %, .* left, table t*…");
    }
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
    assertThat(people.get("keyBytes").get("max").asInt()).isEqualTo("user299".length());
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
    assertThat(export.err()).startsWith("Exported 300 entries (45.7 KiB) of 1 table ");
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
        .contains("the dump ends within it");
    assertThat(directory.resolve("c")).doesNotExist(); // a file is read before anything is written
  }

  @Test
  void aFailedMergeLeavesTheStoreAsItWas() throws IOException {
    Files.writeString(
        directory.resolve("bad.jsonl"),
        "{\"key\":\"d\",\"value\":\"new\"}\n{\"key\":\"e\",\"value\":new}\n");

    Run merge = run("import", "bad.jsonl", "lmdb:a", "--merge");
    Run typo = run("import", "bad.jsonl", "lmdb:a", "--merge", "--table", "usres");

    assertThat(merge.exit()).isEqualTo(2);
    assertThat(merge.err()).contains("line 2").doesNotContain("--replace");
    assertThat(typo.exit()).isEqualTo(2);
    assertThat(run("count", "lmdb:a").out()).startsWith("0");
    assertThat(run("count", "lmdb:a", "--table", "users").out()).startsWith("300");
  }

  @Test
  void aStoreIsNotCopiedOntoItselfUnderAnyName() throws IOException {
    Files.createSymbolicLink(directory.resolve("link"), Path.of("."));
    for (String engine : List.of("lmdb", "rocksdb", "sqlite")) {
      String url = engine + ":own-" + engine;
      assertThat(run("copy", "lmdb:a", url).exit()).as(url).isZero();
      for (String other :
          List.of(
              url,
              engine + ":link/own-" + engine,
              engine + ":" + directory.resolve("x/../own-" + engine),
              "sqlite:own-" + engine + "/inner")) {
        Run onto = run("copy", url, other, "--replace");

        assertThat(onto.exit()).as(other).isEqualTo(2);
        assertThat(onto.err()).as(other).contains("name another place");
      }
      assertThat(run("export", url, "own-" + engine + "/out.csv").err()).contains("or in it");
      assertThat(directory.resolve("own-" + engine + "/inner")).doesNotExist();
      assertThat(run("count", url, "--table", "users").out()).as(url).startsWith("300");
    }
  }

  @Test
  void aValueThatIsNotBytesHidesNoOtherTable() throws Exception {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("app.db"));
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE absent (k TEXT PRIMARY KEY, v TEXT)");
      statement.execute("CREATE TABLE number (k TEXT PRIMARY KEY, v)");
      statement.execute("CREATE TABLE users (name TEXT PRIMARY KEY, profile TEXT)");
      statement.execute("INSERT INTO absent VALUES ('a', 'x'), ('b', NULL)");
      statement.execute("INSERT INTO number VALUES ('a', 1)");
      statement.execute("INSERT INTO users VALUES ('ann', '{}')");
    }

    Run stat = run("stat", "sqlite:app.db?adopt=true");

    assertThat(stat.exit()).isZero();
    assertThat(stat.out()).contains("not read: absent: ", "not read: number: ");
    assertThat(stat.outLines()).anyMatch(line -> line.matches("users +1 .*"));
    assertThat(run("stat", "sqlite:app.db").err()).contains("adopt=true");
    assertThat(run("verify", "sqlite:app.db?adopt=true").out()).contains("cannot be seen");
  }

  @Test
  void whatAnotherProgramWroteIsLookedAtAndCopied() throws Exception {
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("app.db"));
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE users (name TEXT PRIMARY KEY, profile TEXT)");
      statement.execute("CREATE TABLE visits (who TEXT, at TEXT, page TEXT)");
      statement.execute("INSERT INTO users VALUES ('ann', '{}'), ('bob', '{}')");
    }
    String adopted = "sqlite:app.db?adopt=true";

    Run stat = run("stat", adopted);

    assertThat(stat.err()).isEmpty();
    assertThat(stat.out()).contains("open read-only", "not read: visits: it has no primary key");
    assertThat(stat.outLines())
        .anyMatch(line -> line.matches("users +2 .*"))
        .anyMatch(line -> line.matches(" +app.db +.*KiB"));

    Run all = run("copy", adopted, "rocksdb:b");

    assertThat(all.exit()).isEqualTo(2);
    assertThat(all.err())
        .hasLineCount(1)
        .contains(
            "a table that cannot be read as entries: visits: it has no primary key",
            "name the tables that you mean (--table); there are: users");

    Run copy = run("copy", adopted, "rocksdb:b", "--table", "users");

    assertThat(copy.err()).isEmpty();
    assertThat(copy.out()).startsWith("Copied 2 entries (10 B) of 1 table").contains("Identical");
    // which closes standard output, so not in the process that runs the other commands
    Run export = new Cli(directory).run("export", adopted, "--format", "jsonl", "--table", "users");
    assertThat(export.outLines())
        .containsExactly(
            "{\"table\":\"users\",\"key\":\"ann\",\"value\":\"{}\"}",
            "{\"table\":\"users\",\"key\":\"bob\",\"value\":\"{}\"}");

    Run refused = run("stat", "memory:a?adopt=true");

    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .hasLineCount(1)
        .contains("has no adoption of other programs' stores", "lmdb", "sqlite");
  }
}

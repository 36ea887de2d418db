package io.kvstadium.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.codec.Codec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on entries, and the shell, as processes. */
@TestInstance(Lifecycle.PER_CLASS)
class ShellTest {
  private static final int MANY = 300_000;

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
      store.table("users").put(utf8("user:1"), utf8("ann"));
      store.table("users").put(utf8("user:2"), new byte[] {0, -1, '\n'});
      store.table("visits", Codec.STRING, Codec.LONG).put("home", 42L);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private Run run(Object... arguments) {
    return stadium.run(arguments);
  }

  private Run shell(String script, Object... arguments) {
    return stadium.runWith(utf8(script), arguments);
  }

  @Test
  void getSaysByItsExitCodeWhetherThereIsOne() {
    Run found = run("get", "lmdb:a", "user:1", "--table", "users");
    Run missing = run("get", "lmdb:a", "user:9", "--table", "users");
    Run wrong = run("get", "lmdb:a", "user:1", "--table", "usres");

    assertThat(found.exit()).isZero();
    assertThat(found.out()).isEqualTo("ann");
    assertThat(found.err()).isEmpty();
    assertThat(missing.exit()).isEqualTo(1);
    assertThat(missing.out()).isEmpty();
    assertThat(missing.err()).isEqualTo("stadium: there is no entry user:9 in table users\n");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err())
        .isEqualTo(
            "stadium: there is no table usres (did you mean 'users'?); there are: default, users,"
                + " visits\n");
  }

  @Test
  void valuesGoThroughPipesAsTheyAre() {
    byte[] value = {0, -1, '\n', 'x', '\n'};
    Run put = stadium.runWith(value, "put", "lmdb:a", "0xff00", "-");
    Run hex = run("get", "lmdb:a", "0xff00", "--values", "hex");

    assertThat(put.exit()).isZero();
    assertThat(put.out()).isEmpty();
    assertThat(hex.out()).isEqualTo("00ff0a780a\n");
    try (Store store = Stadium.open("lmdb:" + directory.resolve("a"))) {
      assertThat(store.table().get(new byte[] {-1, 0})).isEqualTo(value);
    }
  }

  @Test
  void codecsReadAndWriteWhatTheLibraryDoes() {
    assertThat(run("get", "lmdb:a", "home", "--table", "visits", "--values", "long").out())
        .isEqualTo("42\n");

    Run put = run("put", "lmdb:a", "--table", "visits", "--values", "long", "--", "away", "-7");
    Run wrong = run("scan", "lmdb:a", "--table", "users", "--values", "long");

    assertThat(put.exit()).isZero();
    assertThat(run("scan", "lmdb:a", "--table", "visits", "--values", "long").out())
        .isEqualTo("away\t-7\nhome\t42\n");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("the value of user:1 does not match the codec: LONG", "--values auto");
    assertThat(run("put", "lmdb:a", "k", "--v").err()).contains("goes after --");
  }

  @Test
  void scansHaveRangesLimitsAndFormats() throws IOException {
    assertThat(run("scan", "lmdb:a", "--table", "users", "--prefix", "user:", "--keys-only").out())
        .isEqualTo("user:1\nuser:2\n");
    assertThat(
            run("scan", "lmdb:a", "--table", "users", "--reverse", "--limit", "1", "--keys-only")
                .out())
        .isEqualTo("user:2\n");
    assertThat(run("count", "lmdb:a", "--table", "users").out()).isEqualTo("2\n");
    assertThat(run("count", "lmdb:a", "--table", "users", "--from", "user:2").out())
        .isEqualTo("1\n");

    List<String> json = run("scan", "lmdb:a", "--table", "users", "--format", "json").outLines();

    assertThat(new ObjectMapper().readTree(json.getFirst()).get("value").asText()).isEqualTo("ann");
    assertThat(new ObjectMapper().readTree(json.get(1)).get("value").get("hex").asText())
        .isEqualTo("00ff0a");
  }

  @Test
  void deleteTakesKeysOrARange() {
    assertThat(run("delete", "lmdb:a", "user:1", "nothing", "--table", "users").exit()).isZero();
    assertThat(run("delete", "lmdb:a", "--prefix", "user:", "--table", "users").out())
        .isEqualTo("1\n");
    assertThat(run("count", "lmdb:a", "--table", "users").out()).isEqualTo("0\n");
    assertThat(run("delete", "lmdb:a").err()).contains("name either keys, or a range");
  }

  /** Entries in another table are not silence: most applications name their tables. */
  @ParameterizedTest
  @ValueSource(strings = {"scan", "count", "get home", "delete --prefix user:"})
  void whereNothingIsFoundTheOtherTablesAreNamed(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add(1, "lmdb:a");

    Run unnamed = run(words.toArray());
    words.addAll(List.of("--table", "default"));
    Run named = run(words.toArray());

    assertThat(unnamed.exit()).isEqualTo(named.exit()).isLessThan(2);
    assertThat(unnamed.out()).isEqualTo(named.out());
    assertThat(unnamed.err()).contains("users", "visits");
    assertThat(named.err()).doesNotContain("users");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb", "sqlite"})
  void aScriptWritesAndReads(String engine) {
    Run run =
        shell(
            """
            # a comment, and an empty line

            put --create --table people ann {"age":41}
            use people --values json
            begin
            put bob '{"age":
              42}'
            delete ann
            commit
            scan
            format json
            scan
            """,
            "shell",
            engine + ":made",
            "--create");

    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    assertThat(run.outLines().get(0)).isEqualTo("bob\t{\"age\":42}");
    assertThat(run.outLines().get(1)).isEqualTo("{\"key\":\"bob\",\"value\":{\"age\":42}}");
  }

  @Test
  void aByteOrderMarkIsNoPartOfAScriptAndNothingTurnsTheTerminal() {
    String turning = "\u202egnp.exe";

    Run put = shell("\uFEFFput k " + turning + "\n", "shell", "lmdb:a", "--write");
    Run scan = shell("scan --format table\nget --format table k\n", "shell", "lmdb:a");
    Run wrong = stadium.run("get", "lmdb:" + turning, "k");

    assertThat(put.err()).isEmpty();
    assertThat(scan.out()).contains("k").doesNotContain("\u202e");
    assertThat(wrong.err()).contains("gnp.exe").doesNotContain("\u202e");
  }

  @Test
  void aScriptEndsWithTheCodeOfTheFirstThatFails() {
    Run missing = shell("get --table users user:1\nget nothing\ncount\n", "shell", "lmdb:a");
    Run wrong = shell("use users\ncuont\ncount\n", "shell", "lmdb:a");
    Run open = shell("put k 'never\nclosed\n", "shell", "lmdb:a", "--write");
    Run batch = shell("begin\nput k v\n", "shell", "lmdb:a", "--write");

    assertThat(missing.exit()).isEqualTo(1);
    assertThat(missing.out()).isEqualTo("ann\n");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err())
        .startsWith("stadium: line 2: unknown command 'cuont' (did you mean 'count'?)");
    assertThat(open.exit()).isEqualTo(2);
    assertThat(open.err()).isEqualTo("stadium: line 1: a quote is not closed\n");
    assertThat(batch.exit()).isEqualTo(2);
    assertThat(batch.err()).contains("ends within a batch of 1 writes");
    assertThat(run("count", "lmdb:a").out()).isEqualTo("0\n");
  }

  @Test
  void aStoreIsOnlyReadUnlessMoreIsAskedFor() {
    Run put = shell("put k v\n", "shell", "lmdb:a");
    Run begin = shell("begin\n", "shell", "lmdb:a");

    assertThat(put.exit()).isEqualTo(2);
    assertThat(put.err())
        .contains("line 1: the shell opened this store read-only")
        .contains("--write");
    assertThat(begin.err()).contains("--write");
    assertThat(shell("put k v\n", "shell", "lmdb:a", "--write").exit()).isZero();
    assertThat(run("get", "lmdb:a", "k").out()).isEqualTo("v");
    // a store that keeps nothing is created by the shell
    assertThat(shell("put k v\nget k\n", "shell", "memory:").out()).isEqualTo("v\n");
  }

  @Test
  void aStoreThatIsNotThereIsMadeOnRequestOnly() {
    Run put = run("put", "sqlite:new", "k", "v");

    assertThat(put.exit()).isEqualTo(2);
    assertThat(put.err()).contains("there is no sqlite store in new, and only --create makes one");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(run("put", "sqlite:new", "k", "v", "--create", "--table", "t").exit()).isZero();
    assertThat(run("get", "sqlite:new", "k", "--table", "t").out()).isEqualTo("v");
  }

  @Test
  void aStoreThatIsOpenElsewhereIsReadOrRefused() {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("a"))) {
      assertThat(run("get", "lmdb:a", "user:1", "--table", "users").out()).isEqualTo("ann");
      Run put = run("put", "lmdb:a", "k", "v");

      assertThat(put.exit()).isEqualTo(2);
      assertThat(put.err()).startsWith("stadium: lmdb:a: a is open in another process");
      assertThat(put.errLines()).hasSize(1);
      assertThat(store.table().count()).isZero();
    }
  }

  @Test
  void onlyATerminalLoadsALineEditor() {
    Run get =
        new Cli(directory)
            .withJvmArgument("-Xlog:class+load:stderr")
            .run("get", "lmdb:a", "user:1", "--table", "users");
    Run script =
        new Cli(directory)
            .withJvmArgument("-Xlog:class+load:stderr")
            .runWith(utf8("count\n"), "shell", "lmdb:a");

    assertThat(get.err()).contains("GetCommand").doesNotContain("org.jline.reader");
    assertThat(script.out()).isEqualTo("0\n");
    assertThat(script.err()).contains("ShellCommand").doesNotContain("org.jline.reader");
  }

  /** With keys that are typed, Ctrl-C among them. */
  @Test
  void atATerminalLinesAreRecalledAndCtrlCEndsAScanOnly() throws IOException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("a"))) {
      store.write(batch -> {
        for (int i = 0; i < MANY; i++) {
          batch.put(store.table(), utf8("key" + i), new byte[0]);
        }
      });
    }
    Cli cli = new Cli(directory).withProperty("user.home", directory);
    try (Pty terminal = new Pty(directory, cli.line("shell", "lmdb:a"))) {
      terminal.await("default> ");
      terminal.type("scan\r");
      terminal.await("key1000");
      terminal.type("\u0003");
      terminal.await("interrupted)");
      terminal.type("count --from key9\r");
      terminal.await("11111");
      terminal.type("\033OA\b\b\b\b\b\b\b\b\b\b\b\b\r");
      terminal.await("" + MANY);
      terminal.type("exit\r");
      assertThat(terminal.exit()).isZero();
    }
  }
}

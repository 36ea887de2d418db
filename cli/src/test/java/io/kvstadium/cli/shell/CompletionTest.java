package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.entries.Screen;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.View;
import io.kvstadium.cli.io.Output;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.codec.Codec;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the shell offers for a word that was begun. */
class CompletionTest {
  private final Store store = Stadium.open("memory:");
  private Completion completion;

  @BeforeEach
  void fill() {
    store.table("users").put("user:1".getBytes(UTF_8), new byte[0]);
    store.table("users").put("user:2".getBytes(UTF_8), new byte[0]);
    store.table("users").put("other".getBytes(UTF_8), new byte[0]);
    store.table("days").put(Codec.LONG.encode(17L), new byte[0]);
    Session session =
        new Session(
            store,
            Session.Access.WRITE,
            new Output(OutputStream.nullOutputStream()),
            View.TABLE,
            Screen.NONE);
    session.use("users");
    ShellLines lines = new ShellLines(session, "memory:", new PrintWriter(Writer.nullWriter()));
    completion = new Completion(session, lines.commands());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<String> offered(String begun, String... before) {
    return completion.of(List.of(before), begun);
  }

  @Test
  void commandsAtTheBeginningAndAfterHelp() {
    assertThat(offered("")).contains("get", "put", "scan", "begin", "help", "exit");
    assertThat(offered("co")).containsExactlyInAnyOrder("count", "commit");
    assertThat(offered("ge", "help")).containsExactly("get");
    assertThat(offered("x", "nothing")).isEmpty();
  }

  @Test
  void optionsButNotThoseOfAShell() {
    assertThat(offered("--", "scan"))
        .contains("--prefix", "--limit", "--table", "--format")
        .doesNotContain("--engine-path");
  }

  @Test
  void tablesAndCodecsWhereTheyBelong() {
    assertThat(offered("", "use")).containsExactly("days", "default", "users");
    assertThat(offered("d", "scan", "--limit", "3", "--table")).containsExactly("days", "default");
    assertThat(offered("u", "use", "users", "--values")).containsExactly("uuid");
    assertThat(offered("", "format")).containsExactly("table", "json", "raw");
  }

  @Test
  void keysOfTheTableByItsCodec() {
    assertThat(offered("user:", "get")).containsExactly("user:1", "user:2");
    assertThat(offered("o", "delete", "user:1")).containsExactly("other");
    assertThat(offered("user:", "scan", "--prefix")).containsExactly("user:1", "user:2");
    assertThat(offered("1", "get", "--table", "days", "--keys", "long")).containsExactly("17");
  }

  @Test
  void nothingForValuesAndForWhatIsWrong() {
    assertThat(offered("u", "put", "user:1")).isEmpty();
    assertThat(offered("u", "get", "--table", "nothing")).isEmpty();
    assertThat(offered("1", "get", "--keys", "lnog")).isEmpty();
  }
}

package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.entries.Screen;
import io.kvstadium.cli.entries.Session;
import io.kvstadium.cli.entries.View;
import io.kvstadium.cli.io.Output;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The shell at a terminal that only reads and writes lines. */
class ShellAtTerminalTest {
  private static final String CTRL_C = "\u0003";

  private final Store store = Stadium.open("memory:");

  @AfterEach
  void close() {
    store.close();
  }

  private String typed(String... lines) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Iterator<String> left = List.of(lines).iterator();
    Output output = new Output(out);
    new Shell(
            prompt -> {
              out.writeBytes(prompt.getBytes(UTF_8));
              String line = left.hasNext() ? left.next() : null;
              if (CTRL_C.equals(line)) {
                throw new CancellationException();
              }
              return line;
            },
            new Session(store, Session.Access.WRITE, output, View.TABLE, Screen.NONE),
            "memory:",
            new PrintWriter(output, true, UTF_8))
        .interact();
    return out.toString(UTF_8);
  }

  @Test
  void commandsAreReadAndRun() {
    String said = typed("put user:1 ann", "get user:1", "get user:2", "nonsense", "count");

    assertThat(said)
        .contains("memory", "durability none", "default> ")
        .containsSubsequence("ann", "no entry user:2", "unknown command 'nonsense'", "> 1\n");
  }

  @Test
  void aQuoteGoesOnOnTheNextLine() {
    typed("put k 'line 1", "line 2'");

    assertThat(store.table().get("k".getBytes(UTF_8))).asString(UTF_8).isEqualTo("line 1\nline 2");
  }

  @Test
  void ctrlCDropsAllLinesOfACommand() {
    typed(CTRL_C, "put k 'line 1", CTRL_C, "put l '");

    assertThat(store.table().count()).isZero();
    assertThat(typed("put k 'line 1", CTRL_C, "put l 2", "get l")).containsSubsequence("> ", "2\n");
    assertThat(store.table().count()).isOne();
  }

  @Test
  void thePromptSaysWhatIsInTheBatchWhichIsDroppedAtTheEnd() {
    String said = typed("begin", "put a 1", "put b 2");

    assertThat(said).contains("default (batch of 2)> ", "The batch of 2 writes was dropped.");
    assertThat(store.table().count()).isZero();
  }
}

package io.kvstadium.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.entries.Session;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell at a terminal that can only read and write. */
class InteractiveShellTest {
  private static final int MANY = 100_000;

  @TempDir private Path directory;
  private Path history;
  private final Store store = Stadium.open("memory:");

  @BeforeEach
  void placeHistory() {
    history = directory.resolve("state/history");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private String typed(String input) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DumbTerminal terminal =
        new DumbTerminal(
            "test", "dumb", new ByteArrayInputStream(input.getBytes(UTF_8)), out, UTF_8)) {
      run(terminal);
    }
    return out.toString(UTF_8);
  }

  private void run(Terminal terminal) {
    new InteractiveShell(terminal, store, Session.Access.WRITE, "memory:", history).loop();
  }

  @Test
  void commandsAreReadAndRun() throws IOException {
    String said = typed("put user:1 ann\nget user:1\nget user:2\nnonsense\ncount\n");

    assertThat(said)
        .contains("memory", "durability none", "default> ")
        .containsSubsequence("ann", "no entry user:2", "unknown command 'nonsense'", "> 1\n");
  }

  @Test
  void aQuoteGoesOnOnTheNextLine() throws IOException {
    typed("put k 'line 1\nline 2'\n");

    assertThat(store.table().get("k".getBytes(UTF_8))).asString(UTF_8).isEqualTo("line 1\nline 2");
  }

  @Test
  void thePromptSaysWhatIsInTheBatchWhichIsDroppedAtTheEnd() throws IOException {
    String said = typed("begin\nput a 1\nput b 2\n");

    assertThat(said).contains("default (batch of 2)> ", "The batch of 2 writes was dropped.");
    assertThat(store.table().count()).isZero();
  }

  @Test
  void theHistoryIsTheUsersOwnAndHasNoValues() throws IOException {
    typed("put user:1 secret\n\"put\" user:2 'secret\ntoo'\nget user:1\n");

    assertThat(Files.readString(history)).contains("get user:1").doesNotContain("secret");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
        .isEqualTo("rw-------");
  }

  @Test
  void anInterruptEndsTheScanAndNotTheShell() throws IOException {
    store.write(batch -> {
      for (int i = 0; i < MANY; i++) {
        batch.put(store.table(), ("key" + i).getBytes(UTF_8), new byte[0]);
      }
    });
    DumbTerminal[] terminal = new DumbTerminal[1];
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, length);
            if (new String(bytes, offset, length, UTF_8).contains("key1")) {
              terminal[0].raise(Signal.INT);
            }
          }
        };
    terminal[0] =
        new DumbTerminal(
            "test", "dumb", new ByteArrayInputStream("scan\ncount\n".getBytes(UTF_8)), out, UTF_8);
    try (DumbTerminal open = terminal[0]) {
      run(open);
    }

    assertThat(out.toString(UTF_8))
        .contains("entries, interrupted)")
        .doesNotContain("key99999")
        .contains("100000");
  }
}

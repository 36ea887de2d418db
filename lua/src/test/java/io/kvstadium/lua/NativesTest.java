package io.kvstadium.lua;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.conformance.ChildProcess;
import io.kvstadium.testsupport.Needs;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lua's library needs a folder from which it can be loaded. */
final class NativesTest {
  @TempDir private Path directory;

  @Test
  @Tag("full")
  void temporaryDirectoryWithoutExecutionIsToldEachTime() throws Exception {
    Needs.that(ChildProcess.canMount(), "namespaces of mounts", "util-linux");

    assertThat(ChildProcess.withNoexec(OpensTwice.class, directory.resolve("noexec")))
        .hasSize(2)
        .allSatisfy(line ->
            assertThat(line).startsWith("ERR scripts cannot run: ").contains("-Djava.io.tmpdir"));
  }

  /** Prints why there is no interpreter. */
  static final class OpensTwice {
    private OpensTwice() {}

    public static void main(String[] arguments) {
      for (int i = 0; i < 2; i++) {
        try (Interpreter interpreter = Interpreter.open(1 << 20, MemoryPool.UNBOUNDED)) {
          System.out.println("opened " + interpreter.used());
        } catch (ScriptException e) {
          System.out.println(e.text());
        }
      }
    }
  }
}

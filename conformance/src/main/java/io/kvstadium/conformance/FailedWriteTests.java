package io.kvstadium.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Writes that the operating system refuses. */
interface FailedWriteTests extends Staged {
  /** How large a file may become meanwhile. */
  int LARGEST_FILE = 2 << 20;

  /** Whoever watches over a store must see that it takes no writes, before and after its repair. */
  @Test
  default void storeThatTakesNoWritesAnyMoreSaysSo() throws Exception {
    Store store = stage().openWith(Capability.PERSISTENT);
    Assumptions.assumeTrue(
        store.engine().onDisk() && Files.isDirectory(stage().path()), "no directory");
    store.close();
    Path said = stage().path().resolveSibling("child-says");
    try (OtherProcess other = new OtherProcess(said)) {
      Assumptions.assumeTrue(limitFiles(other, "unlimited"), "there is no prlimit");
      assertThat(other.ask("write " + stage().url())).isEqualTo("ok");

      limitFiles(other, Integer.toString(LARGEST_FILE));
      String filled = other.ask("fill");
      limitFiles(other, "unlimited");

      Assumptions.assumeFalse(filled.equals("ok"), "its files stayed small");
      String put = other.ask("put b 2");
      String status = other.ask("status");
      assertThat(status)
          .as("after '%s' and then '%s'", filled, put)
          .isEqualTo(put.equals("ok") ? "OPEN" : "FAILED");
    }
  }

  /** Limits how large a process may make a file; false if there is no such program. */
  private static boolean limitFiles(OtherProcess other, String bytes) throws InterruptedException {
    try {
      return new ProcessBuilder("prlimit", "--pid=" + other.pid(), "--fsize=" + bytes + ":")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}

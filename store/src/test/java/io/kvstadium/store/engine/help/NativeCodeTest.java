package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines' tests have what is mounted noexec. */
class NativeCodeTest {
  @Test
  void other_directories_are_left_alone_and_empty(@TempDir Path directory) {
    assertThat(NativeCode.isNoexec(directory)).isFalse();
    assertThat(directory).isEmptyDirectory();
    assertThat(NativeCode.isNoexec(directory.resolve("missing"))).isFalse();
  }
}

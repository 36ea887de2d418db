package io.kvstadium.store.internal.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which directories a new store's survival depends on. */
class StoreDirectoryTest {
  @TempDir private Path there;

  private static StoreDirectory directory(Path path) {
    return new StoreDirectory(path, "memory:" + path);
  }

  @Test
  void ofOneThatWasThereOnlyItsOwnEntriesAreSynced() {
    StoreDirectory directory = directory(there);

    directory.create();

    assertThat(directory.changed()).containsExactly(there);
    assertThatCode(directory::makeDurable).doesNotThrowAnyException();
  }

  @Test
  void ofThoseThatWereMadeTheParentsAreSynced() {
    Path made = there.resolve("a/b");
    StoreDirectory directory = directory(made);

    directory.create();

    assertThat(made).isDirectory();
    assertThat(directory.changed()).containsExactly(made, there.resolve("a"), there);
    assertThatCode(directory::makeDurable).doesNotThrowAnyException();
  }

  @Test
  void madeAgainItIsSyncedAgain() throws IOException {
    Path made = there.resolve("a");
    StoreDirectory directory = directory(made);
    directory.create();
    Files.delete(made);

    directory.create();

    assertThat(directory.changed()).containsExactly(made, there);
  }
}

package io.kvstadium.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Stadium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftCheckpointTest {
  @Test
  void whatAKilledProcessLeftIsRemovedAtTheNextOpen(@TempDir Path store) throws IOException {
    Stadium.open("rocksdb:" + store).close();
    Files.createDirectories(store.resolve("unfinished-1").resolve("checkpoint"));
    Files.writeString(store.resolve("unfinished-1").resolve("checkpoint").resolve("1.sst"), "left");

    Stadium.open("rocksdb:" + store).close();

    assertThat(store.resolve("unfinished-1")).doesNotExist();
  }
}

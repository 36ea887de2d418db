package io.kvstadium.engine.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "NONE, wal, 0",
    "PROCESS, wal, 0",
    "CONSISTENT, wal, 1",
    "POWER, wal, 2",
    "NONE, delete, 0",
    "PROCESS, delete, 0",
    "CONSISTENT, delete, 2",
    "POWER, delete, 3",
    "ENGINE_DEFAULT, wal, 2",
  })
  void level_and_journal_mode_give_pragmas_in_force(
      Durability asked, String journal, String synchronous) throws Exception {
    try (SqliteStore store = Stores.open(directory, asked, "journal_mode=" + journal)) {
      assertThat(store.stats())
          .containsEntry("journal_mode", journal)
          .containsEntry("synchronous", synchronous);

      // a sync raises it only for a moment
      store.sync();

      assertThat(store.stats()).containsEntry("synchronous", synchronous);
    }
  }

  @Test
  void engine_default_is_what_sqlite_does_by_itself() throws Exception {
    try (SqliteStore store = Stores.open(directory, Durability.ENGINE_DEFAULT)) {
      assertThat(store.stats())
          .containsEntry("journal_mode", "delete")
          .containsEntry("synchronous", "2");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CONSISTENT, journal_mode=off, wal",
    "CONSISTENT, page_size=1000, power of two",
    "CONSISTENT, readers=0, from 1 to 1000",
  })
  void contradictions_are_refused(Durability asked, String option, String hint) {
    assertThatThrownBy(() -> Stores.open(directory, asked, option))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(hint);
  }

  @Test
  void other_options_reach_sqlite() throws Exception {
    try (SqliteStore store =
        Stores.open(
            directory,
            Durability.CONSISTENT,
            "page_size=8k",
            "cache_size=16m",
            "mmap_size=1m",
            "wal_autocheckpoint=50",
            "auto_vacuum=incremental")) {
      Stores.table(store, "a");
      assertThat(store.stats())
          .containsEntry("page_size", "8192")
          .containsEntry("cache_size", "-16384")
          .containsEntry("mmap_size", "1048576")
          .containsEntry("wal_autocheckpoint", "50")
          .containsEntry("auto_vacuum", "2");
    }
  }

  @Test
  @Timeout(60)
  void commits_that_make_a_checkpoint_are_counted() throws Exception {
    try (SqliteStore store = Stores.open(directory, Durability.CONSISTENT)) {
      SqliteTable table = Stores.table(store, "a");
      byte[] value = new byte[1_000_000];
      assertThat(store.stalls().causes()).isEmpty();

      for (int i = 0; store.stalls().causes().isEmpty(); i++) { // four fill the log
        store.put(table, new byte[] {(byte) i}, value);
      }

      assertThat(store.stalls().nanos()).isPositive();
      assertThat(store.stalls().causes()).hasSize(1);
    }
  }

  @Test
  void capabilities_follow_the_journal_mode() throws Exception {
    try (SqliteStore store = Stores.open(directory.resolve("a"), Durability.CONSISTENT)) {
      assertThat(store.capabilities()).contains(Capability.SNAPSHOT, Capability.BATCH);
    }
    try (SqliteStore store =
        Stores.open(directory.resolve("b"), Durability.NONE, "journal_mode=delete")) {
      assertThat(store.capabilities())
          .contains(Capability.BATCH)
          .doesNotContain(Capability.SNAPSHOT);
    }
  }
}

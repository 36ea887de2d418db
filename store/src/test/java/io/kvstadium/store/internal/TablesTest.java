package io.kvstadium.store.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Engines;
import io.kvstadium.store.FakeEngine;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the engine is told about a store's tables. */
class TablesTest {
  private final FakeEngine engine = new FakeEngine();

  private Store open(String url) {
    return Engines.of(List.of(engine)).open(url, OpenOptions.DEFAULT);
  }

  @Test
  void anOptionForOneTableReachesThatTableOnly() {
    try (Store store = open("fake:?table.events.auto_compaction=false")) {
      store.table("users");
      store.table("events");
    }

    assertThat(engine.tableOptions.get("events")).containsEntry("auto_compaction", "false");
    assertThat(engine.tableOptions.get("users")).isEmpty();
  }

  @Test
  void aTableIsCompactedAloneAndAStoreWithAllItsTables() {
    try (Store store = open("fake:")) {
      store.table("users").compact();
      assertThat(engine.compacted).containsExactly("users");

      store.compact();
      assertThat(engine.compacted).containsExactlyInAnyOrder("users", "users", "default");
    }
  }
}

package io.kvstadium.store.contract;

import io.kvstadium.store.Engines;
import io.kvstadium.store.FakeEngine;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Stores of an engine that watches the library; closed after each test. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class LibraryTest {
  private final ContractEngine engine = new ContractEngine(FakeEngine.complete());
  final Engines engines = Engines.of(List.<Engine>of(engine));
  private final List<Store> opened = new ArrayList<>();

  /** The test's store, which keeps its entries when it is closed and opened again. */
  final Store open() {
    return open("usual");
  }

  final Store open(String place) {
    Store store = engines.open("fake:" + place + "?durability=none", OpenOptions.DEFAULT);
    opened.add(store);
    return store;
  }

  @AfterEach
  final void closeStores() {
    opened.reversed().forEach(Store::close);
    engine.assertKept();
  }
}

package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.machine.DeviceIo;
import io.kvstadium.bench.machine.PageCacheTest;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLifecycleTest {
  private static final PhaseSpec WARM = PhaseSpec.of("get", Operation.GET);
  private static final PhaseSpec COLD = PhaseSpec.of("cold", Operation.GET).withCold(true);

  @TempDir private Path directory;

  private static StoreLifecycle place(Engines engines, String engine, Path store) {
    return new StoreLifecycle(
        new Opening(engines),
        new Configuration(engine, engine, Map.of(), Durability.NONE, Access.SINGLE, "equal"),
        store);
  }

  private static StoreLifecycle inMemory(Path store) {
    return place(Engines.installed(), "memory", store);
  }

  @Test
  void aColdPhaseFindsTheFilesOutOfMemory() throws IOException {
    PageCacheTest.assumeThatCachesCanBeDropped(directory);
    Path file = directory.resolve("a-file");
    try (StoreLifecycle lifecycle = inMemory(directory)) {
      Target before = lifecycle.targetFor(WARM);
      Files.write(file, new byte[8 << 20]);
      assertThat(Files.readAllBytes(file)).hasSize(8 << 20);

      assertThat(lifecycle.targetFor(COLD)).isNotSameAs(before);

      long read = DeviceIo.read("self");
      assertThat(Files.readAllBytes(file)).hasSize(8 << 20);
      assertThat(DeviceIo.read("self") - read).isGreaterThanOrEqualTo(8 << 20);
    }
  }

  @Test
  void theLogOfWhatWasWrittenIsReplayedBeforeTheCachesAreDropped() {
    AtomicInteger opened = new AtomicInteger();
    FakeEngine fake = FakeEngine.able("fake");
    Engine counting =
        new Engine() {
          @Override
          public EngineInfo info() {
            return fake.info();
          }

          @Override
          public boolean exists(StoreConfig config) {
            return fake.exists(config);
          }

          @Override
          public EngineStore<?> open(StoreConfig config) {
            opened.incrementAndGet();
            return fake.open(config);
          }
        };
    try (StoreLifecycle lifecycle = place(Engines.of(List.of(counting)), "fake", directory)) {
      lifecycle.targetFor(COLD);
      assertThat(opened).as("nothing was written").hasValue(2);

      lifecycle.targetFor(PhaseSpec.of("update", Operation.UPDATE));
      lifecycle.targetFor(WARM);
      lifecycle.targetFor(COLD);
      assertThat(opened).as("once for the log, once for the phase").hasValue(4);

      lifecycle.targetFor(COLD);
      assertThat(opened).as("there is no log any more").hasValue(5);
    }
  }

  @Test
  void aPhaseAtALevelOfItsOwnHasTheStoreOpenedAtIt() {
    List<String> levels = new ArrayList<>();
    FakeEngine fake = FakeEngine.able("fake");
    Engine noting =
        new Engine() {
          @Override
          public EngineInfo info() {
            return fake.info();
          }

          @Override
          public boolean exists(StoreConfig config) {
            return fake.exists(config);
          }

          @Override
          public EngineStore<?> open(StoreConfig config) {
            levels.add(config.durability().word());
            return fake.open(config);
          }

          @Override
          public void destroy(StoreConfig config) {
            levels.add("removed");
          }
        };
    PhaseSpec update = PhaseSpec.of("update", Operation.UPDATE);
    try (StoreLifecycle lifecycle = place(Engines.of(List.of(noting)), "fake", directory)) {
      lifecycle.targetFor(update);
      lifecycle.targetFor(update.withDurability(Durability.POWER));
      lifecycle.targetFor(update.withDurability(Durability.POWER));
      lifecycle.targetFor(update);
      lifecycle.targetFor(PhaseSpec.of("load", Operation.INSERT).withDurability(Durability.POWER));
    }

    assertThat(levels).containsExactly("none", "power", "none", "removed", "power");
  }
}

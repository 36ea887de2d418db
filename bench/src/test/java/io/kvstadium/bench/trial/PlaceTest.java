package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.bench.machine.PageCache;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceTest {
  private static final PhaseSpec WARM = PhaseSpec.of("get", Operation.GET);
  private static final PhaseSpec COLD =
      new PhaseSpec("cold", Operation.GET, 0, 0, 1, Shape.SINGLE, "uniform", null, true, null);

  @TempDir private Path directory;

  private Place place(Path store) {
    return new Place(
        new Opening(Engines.installed()),
        new Configuration("memory", "memory", Map.of(), Durability.NONE, Access.SINGLE, "equal"),
        store);
  }

  @Test
  void aColdPhaseFindsTheFilesOutOfMemoryAndTheResultSaysHow() throws IOException {
    assumeThat(PageCache.way(directory)).isNotEqualTo(PageCache.Way.NONE);
    try (Place place = place(directory)) {
      Target before = place.targetFor(WARM);
      assertThat(place.caches()).isNull();
      Files.write(directory.resolve("a-file"), new byte[8 << 20]);
      assumeThat(PageCache.advise(directory).after().share())
          .as("this file system ignores advice")
          .isLessThan(0.5);
      assertThat(Files.readAllBytes(directory.resolve("a-file"))).hasSize(8 << 20);

      Target after = place.targetFor(COLD);

      assertThat(after).isNotSameAs(before);
      Caches caches = place.caches();
      assertThat(caches).isNotNull();
      assertThat(caches.dropped()).isIn("drop_caches", "posix_fadvise");
      assertThat(caches.resident()).isBetween(0.0, 0.1);

      place.targetFor(WARM);
      assertThat(place.caches()).isNull();
    }
  }

  @Test
  void withoutFilesThereIsNothingToDrop() {
    try (Place place = place(directory.resolve("none"))) {
      place.targetFor(COLD);

      assertThat(place.caches()).isEqualTo(new Caches("none", -1));
    }
  }
}

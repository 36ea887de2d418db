package io.kvstadium.engine.sparkey;

import io.kvstadium.store.engine.EngineSnapshot;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The generations at one moment, pinned; it does not have later tables. */
final class SparkeySnapshot extends GenerationReader implements EngineSnapshot<SparkeyTable> {
  private final Map<SparkeyTable, Generation> generations;

  SparkeySnapshot(Layout layout, Map<SparkeyTable, Generation> generations) {
    super(layout);
    this.generations = generations;
  }

  @Override
  @Nullable Generation generation(SparkeyTable table) {
    return generations.get(table);
  }

  @Override
  public void close() throws IOException {
    for (Generation generation : generations.values()) {
      unpin(generation);
    }
  }
}

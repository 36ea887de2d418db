package io.kvstadium.engine.sparkey;

import io.kvstadium.store.spi.EngineSnapshot;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The generations of one moment, pinned; later tables are not among them. */
final class SparkeySnapshot extends GenerationReader implements EngineSnapshot<SparkeyTable> {
  private final Map<SparkeyTable, Generation> generations;
  private final Consumer<Generation> unpin;

  SparkeySnapshot(Map<SparkeyTable, Generation> generations, Consumer<Generation> unpin) {
    this.generations = generations;
    this.unpin = unpin;
  }

  @Override
  @Nullable Generation generation(SparkeyTable table) {
    return generations.get(table);
  }

  @Override
  void unpin(Generation generation) {
    unpin.accept(generation);
  }

  @Override
  public void close() {
    generations.values().forEach(unpin);
  }
}

package io.kvstadium.bench.run;

import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;

/** Says why an engine's level of durability is believed to hold, for the results. */
@FunctionalInterface
public interface LevelEvidence {
  /** What the engine declares. */
  LevelEvidence DECLARED = (_, mapping) -> mapping.evidence().words();

  /** Such as {@code tortured (kill 12 rounds), argued (docs/durability.md)}. */
  String words(EngineInfo engine, DurabilityMapping level);

  /** Whether something was found that breaks the level. */
  default boolean isBroken(EngineInfo engine, DurabilityMapping level) {
    return false;
  }
}

package io.kvstadium.engine.leveldb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("full") // a legacy engine
class LevelDbConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return new LevelDbEngine().unavailable();
  }

  @Override
  protected String url(Path directory) {
    return "leveldb:" + directory + "?durability=process";
  }
}

package io.kvstadium.engine.qdbm;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("full") // a legacy engine
class QdbmConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return new QdbmEngine().unavailable();
  }

  @Override
  protected String url(Path directory) {
    return "qdbm:" + directory + "?durability=none";
  }
}

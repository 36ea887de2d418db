package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("full") // a legacy engine
class TokyoCabinetConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return new TokyoCabinetEngine().unavailable();
  }

  @Override
  protected String url(Path directory) {
    return "tokyocabinet:" + directory + "?durability=process";
  }
}

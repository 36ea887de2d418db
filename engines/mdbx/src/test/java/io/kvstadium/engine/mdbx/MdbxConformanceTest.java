package io.kvstadium.engine.mdbx;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("ci") // which installs the library
class MdbxConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return new MdbxEngine().unavailable();
  }

  @Override
  protected String url(Path directory) {
    return "mdbx:" + directory + "?durability=process";
  }
}

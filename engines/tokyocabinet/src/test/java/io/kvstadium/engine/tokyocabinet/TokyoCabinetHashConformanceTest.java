package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("full")
class TokyoCabinetHashConformanceTest extends VariantConformance {
  @Override
  protected @Nullable String unavailable() {
    return new TokyoCabinetEngine().unavailable();
  }

  @Override
  protected String url(Path directory) {
    return "tokyocabinet:" + directory + "?type=hash&durability=process";
  }
}

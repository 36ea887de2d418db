package io.kvstadium.engine.qdbm;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

@Tag("full")
class QdbmHashConformanceTest extends VariantConformance {
  @Override
  protected @Nullable String unavailable() {
    return new QdbmEngine().unavailable();
  }

  @Override
  protected String url(Path directory) {
    return "qdbm:" + directory + "?type=hash&durability=none";
  }
}

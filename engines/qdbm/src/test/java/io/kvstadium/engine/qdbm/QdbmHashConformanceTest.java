package io.kvstadium.engine.qdbm;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

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

package io.kvstadium.engine.h2;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Scans in transactions are serializable. */
@Tag("full")
class SerializableH2ConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "h2:" + directory + "?isolation=serializable&lock_timeout=30s";
  }
}

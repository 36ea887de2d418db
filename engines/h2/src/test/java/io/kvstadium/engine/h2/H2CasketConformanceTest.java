package io.kvstadium.engine.h2;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** The table of numbered rows. */
@Tag("full")
class H2CasketConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "h2:" + directory + "?schema=casket&lock_timeout=30s";
  }
}

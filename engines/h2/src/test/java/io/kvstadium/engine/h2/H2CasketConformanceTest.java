package io.kvstadium.engine.h2;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;

/** The table of numbered rows. */
class H2CasketConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "h2:" + directory + "?schema=casket&lock_timeout=30s";
  }
}

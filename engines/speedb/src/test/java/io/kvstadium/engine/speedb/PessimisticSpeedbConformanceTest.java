package io.kvstadium.engine.speedb;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With locks. */
@Tag("full")
class PessimisticSpeedbConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "speedb:" + directory + "?transactions=pessimistic";
  }
}

package io.kvstadium.engine.berkeleydb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With own_threads=true: threads that nobody interrupts. */
@Tag("full")
class ShieldedBerkeleyDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "berkeleydb:" + directory + "?cache_size=16m&lock_timeout=30s&own_threads=true";
  }
}

package io.kvstadium.engine.berkeleydb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class BerkeleyDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "berkeleydb:" + directory + "?cache_size=16m&lock_timeout=30s";
  }

  /** See {@link ShieldedBerkeleyDbConformanceTest}. */
  @Override
  public boolean standsInterruptsDuringCalls() {
    return false;
  }
}

package io.kvstadium.engine.mysql;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class MysqlCasketConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return TestServer.shared().url(directory) + "&schema=casket";
  }

  /** The engine's notes say what an interrupt during a call does. */
  @Override
  public boolean standsInterruptsDuringCalls() {
    return false;
  }
}

package io.kvstadium.engine.mysql;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class MysqlConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return TestServer.shared().url(directory);
  }

  /** The engine's notes say what an interrupt during a call does. */
  @Override
  public boolean standsInterruptsDuringCalls() {
    return false;
  }

  @Override
  public boolean endConnections() throws Exception {
    TestServer.shared().endConnections();
    return true;
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}

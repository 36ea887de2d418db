package io.kvstadium.engine.mysql;

import io.kvstadium.conformance.EngineConformance;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class MysqlCasketConformanceTest extends EngineConformance {
  private static TestServer server;

  @BeforeAll
  static void startServer(@TempDir Path directory) throws IOException {
    server = TestServer.start(directory);
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @Override
  protected String url(Path directory) {
    return server.url(directory) + "&schema=casket";
  }
}

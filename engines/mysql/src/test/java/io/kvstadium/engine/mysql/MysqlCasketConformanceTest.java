package io.kvstadium.engine.mysql;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MysqlCasketConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return TestServer.shared().url(directory) + "&schema=casket";
  }
}

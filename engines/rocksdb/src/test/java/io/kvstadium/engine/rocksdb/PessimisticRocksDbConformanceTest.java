package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With locks of keys. */
@Tag("full")
class PessimisticRocksDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:" + directory + "?transactions=pessimistic";
  }
}

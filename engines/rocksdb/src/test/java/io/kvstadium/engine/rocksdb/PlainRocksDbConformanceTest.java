package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** Without transactions. */
class PlainRocksDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:" + directory + "?transactions=none";
  }
}

package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Without transactions. */
@Tag("full")
class PlainRocksDbConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:" + directory + "?transactions=none";
  }
}

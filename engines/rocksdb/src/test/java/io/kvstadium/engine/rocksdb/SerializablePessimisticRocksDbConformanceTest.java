package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Scans in transactions are serializable; and values have checksums. */
@Tag("full")
class SerializablePessimisticRocksDbConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:" + directory + "?transactions=pessimistic&checksum=true";
  }
}

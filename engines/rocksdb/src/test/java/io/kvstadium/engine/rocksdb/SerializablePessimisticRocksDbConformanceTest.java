package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;

/** Scans in transactions are serializable; and values have checksums. */
class SerializablePessimisticRocksDbConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:"
        + directory
        + "?transactions=pessimistic&isolation=serializable&checksum=true";
  }
}

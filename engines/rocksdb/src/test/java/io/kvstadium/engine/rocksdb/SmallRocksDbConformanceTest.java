package io.kvstadium.engine.rocksdb;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With limits so small that flushes, compactions and value files take part. */
@Tag("full")
class SmallRocksDbConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "rocksdb:"
        + directory
        + "?write_buffer_size=64k&target_file_size_base=64k&max_bytes_for_level_base=256k"
        + "&cache_size=1m&bloom_bits_per_key=10&enable_blob_files=true&min_blob_size=64";
  }
}

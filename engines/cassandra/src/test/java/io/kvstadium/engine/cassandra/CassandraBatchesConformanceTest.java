package io.kvstadium.engine.cassandra;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Tables of one partition each, whose store has batches. */
@Tag("full")
class CassandraBatchesConformanceTest extends VariantConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestNode.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestNode.shared().url(directory, "?partitions=1");
  }
}

package io.kvstadium.engine.cassandra;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Tables whose writes are lightweight transactions. */
class CassandraConditionalConformanceTest extends VariantConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestNode.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestNode.shared().url(directory, "?conditional=true");
  }
}

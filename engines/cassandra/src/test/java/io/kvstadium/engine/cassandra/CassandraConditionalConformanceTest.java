package io.kvstadium.engine.cassandra;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tables whose writes are lightweight transactions: too slow for every build, so only with {@code
 * -Dcassandra.conditional=true}, and best with the methods of interest in {@code -Dtest}.
 */
@EnabledIfSystemProperty(named = "cassandra.conditional", matches = "true")
@Tag("full")
class CassandraConditionalConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return TestNode.unavailable();
  }

  @Override
  protected String url(Path directory) {
    return TestNode.shared().url(directory, "?conditional=true");
  }
}

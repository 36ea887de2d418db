package io.kvstadium.engine.halodb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** With HaloDB's own jar only. */
@Tag("full") // a legacy engine
class HaloDbConformanceTest extends EngineConformance {
  @Override
  protected @Nullable String unavailable() {
    return HaloDbApi.missing() == null ? null : "HaloDB's jar, named by STADIUM_HALODB_JAR";
  }

  @Override
  protected String url(Path directory) {
    return "halodb:" + directory + "?number_of_records=10000&max_file_size=64k";
  }
}

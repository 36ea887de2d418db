package io.kvstadium.engine.halodb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** With HaloDB's own jar only. */
class HaloDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "halodb:" + directory + "?number_of_records=10000&max_file_size=64k";
  }
}

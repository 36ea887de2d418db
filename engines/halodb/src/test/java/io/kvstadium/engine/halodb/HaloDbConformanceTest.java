package io.kvstadium.engine.halodb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/**
 * With HaloDB's own jar only. At durability none, for at the others values of length 0 are refused;
 * the kill tests set the level themselves.
 */
class HaloDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "halodb:" + directory + "?durability=none&number_of_records=10000&max_file_size=64k";
  }
}

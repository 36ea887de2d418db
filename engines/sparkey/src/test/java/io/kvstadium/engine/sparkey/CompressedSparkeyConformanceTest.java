package io.kvstadium.engine.sparkey;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class CompressedSparkeyConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "sparkey:" + directory + "?compression=zstd&block_size=1k";
  }
}

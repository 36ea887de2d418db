package io.kvstadium.engine.tokyocabinet;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class TokyoCabinetBtreeConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "tokyocabinet:" + directory;
  }
}

package toy;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class ToyConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "toy:"; // an engine with files has "toy:" + directory
  }
}

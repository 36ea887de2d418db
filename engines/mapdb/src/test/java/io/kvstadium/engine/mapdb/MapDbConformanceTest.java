package io.kvstadium.engine.mapdb;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With the volume that stands interrupts. */
@Tag("full") // a legacy engine
class MapDbConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "mapdb:" + directory + "?durability=none&volume=raf";
  }
}

package io.kvstadium.engine.mapdb;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("full")
class HashMapDbConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "mapdb:" + directory + "?type=hash&durability=none";
  }
}

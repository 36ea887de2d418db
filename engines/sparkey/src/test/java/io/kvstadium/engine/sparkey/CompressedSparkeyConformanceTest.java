package io.kvstadium.engine.sparkey;

import io.kvstadium.conformance.VariantConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

@Tag("full")
class CompressedSparkeyConformanceTest extends VariantConformance {
  @Override
  protected String url(Path directory) {
    return "sparkey:" + directory + "?compression=zstd&block_size=1k";
  }
}

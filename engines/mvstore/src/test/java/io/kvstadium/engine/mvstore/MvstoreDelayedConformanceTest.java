package io.kvstadium.engine.mvstore;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With MVStore's background thread saving beside the adapter. */
@Tag("full")
class MvstoreDelayedConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "mvstore:" + directory + "?durability=none&auto_commit_delay=1ms&compress=lzf";
  }
}

package io.kvstadium.engine.mvstore;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/** Where MVStore's background thread saves beside the adapter. */
class MvstoreDelayedConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "mvstore:" + directory + "?durability=none&auto_commit_delay=1ms&compress=lzf";
  }
}

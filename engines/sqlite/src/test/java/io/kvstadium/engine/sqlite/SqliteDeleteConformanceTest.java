package io.kvstadium.engine.sqlite;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Where reads take turns with writes, and cursors see each entry's state when they reach it. */
@Tag("full")
class SqliteDeleteConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "sqlite:" + directory + "?journal_mode=delete";
  }
}

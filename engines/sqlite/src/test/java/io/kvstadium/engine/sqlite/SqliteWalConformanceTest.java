package io.kvstadium.engine.sqlite;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

class SqliteWalConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "sqlite:" + directory + "?journal_mode=wal";
  }

  @Override
  public boolean readersSeeEachCommit() {
    return true;
  }
}

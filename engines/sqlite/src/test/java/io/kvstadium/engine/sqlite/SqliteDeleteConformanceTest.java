package io.kvstadium.engine.sqlite;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.Disabled;

class SqliteDeleteConformanceTest extends EngineConformance {
  @Override
  protected String url(Path directory) {
    return "sqlite:" + directory + "?journal_mode=delete";
  }

  // The test puts an entry ahead of the cursor at each step, so that a cursor which sees each entry
  // as
  // it is when reached never comes to an end.
  @Override
  @Disabled("does not end if a cursor sees what is written ahead of it")
  public void withoutSnapshotsOrderHoldsAndUntouchedEntriesComeOnce(boolean reversed) {}
}

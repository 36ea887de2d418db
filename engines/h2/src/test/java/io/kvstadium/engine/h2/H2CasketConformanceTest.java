package io.kvstadium.engine.h2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.conformance.EngineConformance;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of numbered rows; its keys are shorter than the engine's declared limit. */
class H2CasketConformanceTest extends EngineConformance {
  @TempDir Path place;

  @Override
  protected String url(Path directory) {
    return "h2:" + directory + "?schema=casket&lock_timeout=1s";
  }

  @Override
  @Test
  public void keysUpToTheLimitAreKept() {
    try (Store store = Stadium.open(url(place.resolve("limit")))) {
      Table table = store.table();
      byte[] longest = "k".repeat(255).getBytes(US_ASCII);
      byte[] tooLong = "k".repeat(256).getBytes(US_ASCII);

      table.put(longest, longest);

      assertThat(table.get(longest)).isEqualTo(longest);
      assertThatThrownBy(() -> table.put(tooLong, longest))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("255");
      assertThat(table.get(tooLong)).isNull();
      table.delete(tooLong);
      assertThat(table.count()).isEqualTo(1);
    }
  }
}

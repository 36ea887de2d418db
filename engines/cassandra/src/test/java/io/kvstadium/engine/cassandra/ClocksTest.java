package io.kvstadium.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClocksTest {
  /** A clock that showed 150 while this machine's went from 100 to 200 may be right. */
  @ParameterizedTest
  @CsvSource({"100, 0", "150, 0", "200, 0", "201, 1", "99, -1", "5200, 5000", "-4900, -5000"})
  void onlyWhatTheWayDoesNotExplainIsADifference(long now, long ahead) {
    assertThat(Clocks.ahead(100, now, 200)).isEqualTo(ahead);
  }
}

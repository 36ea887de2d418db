package io.kvstadium.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.kvstadium.bench.report.FakeResults;
import io.kvstadium.bench.result.Results;
import io.kvstadium.store.BadArgumentException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightsTest {
  private static final Suite QUICK = SuiteFile.find("quick");

  private static Map<String, Double> weights(String text) {
    return Weights.in(QUICK, text).experiments().getFirst().aim().weights();
  }

  @Test
  void phasesHaveNamesWithSpacesAndNumbers() {
    assertThat(weights(" read = 3, scan 100=1.5,mixed 95/5=0,"))
        .containsExactly(entry("read", 3.0), entry("scan 100", 1.5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "raed=1         | no phase 'raed' (did you mean 'read'?); there are: load, read, update,",
        "open=1         | no phase 'open'",
        "read           | give phases and numbers, such as \"read=3,scan 100=1\"",
        "read=          | give phases and numbers",
        "''             | give phases and numbers",
        "read=x         | x is not a number",
        "read=-1        | -1 is not a weight",
        "read=NaN       | NaN is not a weight",
        "read=1,read=2  | read is given twice",
        "read=0         | at least one phase",
      })
  void whatIsNoWeightIsRefused(String text, String message) {
    assertThatThrownBy(() -> weights(text))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageStartingWith("--weights '" + text + "': ")
        .hasMessageContaining(message);
  }

  @Test
  void whatWasMeasuredCanBeWeighedAnew() {
    Results weighed = FakeResults.full().weighted("read=2");

    assertThat(weighed.experiments())
        .extracting(each -> each.plan().aim().weights())
        .containsOnly(Map.of("read", 2.0));
    assertThatThrownBy(() -> FakeResults.full().weighted("raed=2"))
        .hasMessageContaining("'raed' (did you mean 'read'?); there are: load, read, update, scan");
  }
}

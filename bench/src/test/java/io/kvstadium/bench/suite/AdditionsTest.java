package io.kvstadium.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.store.BadArgumentException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdditionsTest {
  private static Suite suite(String phases) {
    return SuiteFile.parse(
        """
        name = "mine"
        [[experiment]]
        [experiment.data]
        """
            + phases,
        "mine.toml");
  }

  private static String phase(String text) {
    return "[[experiment.phase]]\n" + text + "\n";
  }

  private static final Suite SUITE =
      suite(
          phase("operation = \"insert\"")
              + phase("operation = \"get\"\nseconds = 3\nthreads = 2")
              + phase("operation = \"update\"\nbatch = 10")
              + phase("operation = \"get\"\nname = \"paced\"\nrate = 9")
              + phase("operation = \"mixed\"\nmix = { get = 0.5, update = 0.5 }")
              + phase("operation = \"scan\"\noperations = 7")
              + phase("operation = \"scan-all\"")
              + phase("operation = \"delete\""));

  private static List<PhaseSpec> phases(Suite suite) {
    return suite.experiments().getFirst().phases();
  }

  @Test
  void eachPhaseOfSingleOperationsGetsATwinBehindIt() {
    Suite atRate = Additions.atRate(SUITE, "5000", "p99 < 2ms");

    assertThat(phases(atRate))
        .extracting(PhaseSpec::name)
        .containsExactly(
            "insert",
            "get",
            "get at 5000/s",
            "update",
            "paced",
            "mixed",
            "mixed at 5000/s",
            "scan",
            "scan at 5000/s",
            "scan-all",
            "delete");
    PhaseSpec twin = phases(atRate).get(2);
    assertThat(twin)
        .isEqualTo(
            new PhaseSpec(
                "get at 5000/s",
                Operation.GET,
                0,
                3,
                2,
                Shape.SINGLE,
                new Distribution.Uniform(),
                Rate.parse("5000", Rate.Limit.parse("p99 < 2ms")),
                false,
                null,
                null,
                null));
    // as many operations as without a rate could take hours
    assertThat(phases(atRate).get(8).operations()).isZero();
    assertThat(phases(atRate).get(8).seconds()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    "5000,   5000,    get at 5000/s,       3",
    "20k,    20000,   get at 20000/s,      3",
    "1.5M/s, 1500000, get at 1500000/s,    3",
    "0.4,    0.4,     get at 0.4/s,        3",
    "search, 0,       get at highest rate, 10"
  })
  void aRateIsANumberOrASearch(String text, double perSecond, String name, double seconds) {
    PhaseSpec twin = phases(Additions.atRate(SUITE, text, "p99 < 2ms")).get(2);

    assertThat(Objects.requireNonNull(twin.rate()).perSecond()).isEqualTo(perSecond);
    assertThat(twin.name()).isEqualTo(name);
    assertThat(twin.seconds()).isEqualTo(seconds);
  }

  @Test
  void theTwinHasTheBackgroundLoadUnderAnotherName() {
    Suite suite =
        suite(
            phase("operation = \"insert\"")
                + phase("operation = \"get\"")
                + "[experiment.phase.background]\noperation = \"update\"\n");

    PhaseSpec twin = phases(Additions.atRate(suite, "5", null)).get(2);

    assertThat(Objects.requireNonNull(twin.background()).name()).isEqualTo("update at 5/s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"70 %", "20 MB/s", "0", "-1", "fast"})
  void whatIsNoRateIsRefused(String rate) {
    assertThatThrownBy(() -> Additions.atRate(SUITE, rate, null))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("rate '" + rate);
  }

  @Test
  void aNameThatIsTakenIsRefused() {
    Suite once = Additions.atRate(SUITE, "5", null);

    assertThatThrownBy(() -> Additions.atRate(once, "5", null))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("the suite already has a phase 'get at 5/s'");
  }

  @Test
  void everyPhaseThatOnlyReadsBeginsCold() {
    Suite cold =
        Additions.cold(
            suite(
                phase("operation = \"insert\"")
                    + phase("operation = \"get\"")
                    + phase("operation = \"mixed\"\nmix = { get = 0.5, update = 0.5 }")
                    + phase(
                        "operation = \"mixed\"\nname = \"reads\"\nmix = { get = 0.5, scan = 0.5 }")
                    + phase("operation = \"multi-get\"\nkeys = 5")
                    + phase("operation = \"open-get\"")
                    + phase("operation = \"update\"")));

    assertThat(phases(cold))
        .filteredOn(PhaseSpec::cold)
        .extracting(PhaseSpec::name)
        .containsExactly("get", "reads", "multi-get");
  }
}

package io.kvstadium.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mixes, rates, sweeps and matrices in suite files. */
class WorkloadsTest {
  /** Each line has a number, so that what a message says can be checked. */
  private static final String GOOD =
      """
      name = "mine"
      memory = "512m"

      [[experiment]]
      name = "first"
      question = "Which?"

      [experiment.sweep]
      parameter = "records"
      values = [100, 1000]
      # in rising order

      [experiment.data]
      records = 10
      value_size = 100

      [[experiment.phase]]
      name = "load"
      operation = "insert"

      [[experiment.phase]]
      name = "read"
      operation = "get"
      threads = 3
      seconds = 2
      cold = true

      [experiment.phase.background]
      name = "write"
      operation = "update"
      rate = 20_000

      [[experiment.phase]]
      name = "mix"
      operation = "mixed"
      mix = { get = 0.7, scan = 0.2, multi-get = 0.1 }
      scan_length = "1..100"
      keys = 50
      parallelism = 4
      rate = 700.5
      # an open loop
      limit = "p99 < 2ms"

      [[experiment.configuration]]
      engine = ["rocksdb", "lmdb"]
      durability = ["consistent", "power"]
      options = { cache = ["8m", "64m"], fixed = 1 }
      reopen = { read_only = true }
      """;

  private static Experiment first(String text) {
    return SuiteFile.parse(text, "mine.toml").experiments().getFirst();
  }

  @Test
  void aSweepIsAnExperimentForEachValue() {
    List<Experiment> points = SuiteFile.parse(GOOD, "mine.toml").experiments();

    assertThat(points)
        .extracting(Experiment::name, point -> point.data().records(), Experiment::point)
        .containsExactly(
            tuple("first, records 100", 100L, point(100)),
            tuple("first, records 1,000", 1_000L, point(1_000)));
    assertThat(points).allSatisfy(each -> assertThat(each.memory()).isEqualTo(512L << 20));
  }

  @Test
  void aSweepOfRecordsIsScaledWithThem() {
    Experiment scaled = first(GOOD).scaled(0.25);

    assertThat(scaled.name()).isEqualTo("first, records 25");
    assertThat(scaled.point().value()).isEqualTo(25);
    assertThat(scaled.data().records()).isEqualTo(25);
  }

  private static SweepPoint point(double value) {
    return new SweepPoint("first", "records", value);
  }

  @ParameterizedTest
  @CsvSource({
    "value_size, 7",
    "compressibility, 0.25",
    "threads, 5",
    "keys, 9",
    "parallelism, 2",
    "option.cache, 16",
  })
  void anyNumberCanBeSwept(String parameter, double value) {
    String text =
        GOOD.replace("parameter = \"records\"", "parameter = \"" + parameter + "\"")
            .replace("values = [100, 1000]", "values = [" + value + ", 0.5]")
            .replace("0.5]", parameter.equals("compressibility") ? "0.5]" : "3]")
            .replace(value + ",", value == Math.rint(value) ? (int) value + "," : value + ",");

    Experiment point =
        first(text.replace("operation = \"mixed\"\nmix", "operation = \"mixed\"\nmix"));

    PhaseSpec read = point.phases().get(1);
    PhaseSpec mix = point.phases().get(2);
    Map<String, Object> figures =
        Map.of(
            "value_size",
            point.data().values().sizes().mean(),
            "compressibility",
            point.data().values().compressibility(),
            "threads",
            (double) read.threads(),
            "keys",
            (double) mix.shape().keys(),
            "parallelism",
            (double) mix.shape().parallelism(),
            "option.cache",
            Double.parseDouble(
                point.configurations().getFirst().options().get("cache").replace("m", "")));
    assertThat(figures).containsEntry(parameter, value);
  }

  @Test
  void aMixHasItsShapeAndRate() {
    PhaseSpec mix = first(GOOD).phases().getLast();

    assertThat(mix.shape())
        .isEqualTo(
            new Shape(
                1,
                50,
                4,
                new SizeDistribution.Uniform(1, 100),
                Map.of(Operation.GET, 0.7, Operation.SCAN, 0.2, Operation.MULTI_GET, 0.1)));
    assertThat(mix.rate()).isEqualTo(new Rate(700.5, new Rate.Limit(0.99, 2_000_000)));
    assertThat(mix.writes()).isFalse();
  }

  @Test
  void aPhaseHasCompany() {
    PhaseSpec read = first(GOOD).phases().get(1);

    assertThat(read.cold()).isTrue();
    assertThat(read.writes()).isTrue();
    assertThat(read.background().operation()).isEqualTo(Operation.UPDATE);
    assertThat(read.background().rate().perSecond()).isEqualTo(20_000);
  }

  @Test
  void aMatrixIsAConfigurationForEachCombination() {
    List<Configuration> configurations = first(GOOD).configurations();

    assertThat(configurations).hasSize(8);
    assertThat(configurations.getFirst())
        .isEqualTo(
            new Configuration(
                    "rocksdb, cache=8m, consistent",
                    "rocksdb",
                    Map.of("cache", "8m", "fixed", "1"),
                    Durability.CONSISTENT,
                    Configuration.Access.SINGLE,
                    "consistent")
                .reopenedWith(Map.of("read_only", "true")));
    assertThat(configurations).extracting(Configuration::name).doesNotHaveDuplicates();
    assertThat(configurations.getFirst().reopened().options())
        .containsEntry("cache", "8m")
        .containsEntry("read_only", "true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p99 < 2ms|0.99|2000000|p99 < 2ms",
        "p999<500us|0.999|500000|p999 < 500us",
        "p50 < 1.5 s|0.5|1500000000|p50 < 1500ms",
        "p9999 < 7 µs|0.9999|7000|p9999 < 7us",
        "p99 < 20ms sustained|0.99|20000000|p99 < 20ms sustained",
        "p99 < 0.8us|0.99|800|p99 < 0.8us",
        "p90 < 1.5us|0.9|1500|p90 < 1.5us",
        "p99999 < 0.0123ms|0.99999|12300|p99999 < 12.3us",
        "p0001 < 1s|0.0001|1000000000|p0001 < 1000ms",
      })
  void limitsAreUnderstoodAndReadBackAsWritten(
      String text, double level, long nanos, String written) {
    Rate.Limit limit = Rate.Limit.parse(text);

    assertThat(Rate.Limit.parse(limit.toString())).isEqualTo(limit);

    assertThat(limit).isEqualTo(new Rate.Limit(level, nanos, text.endsWith("sustained")));
    assertThat(limit).hasToString(written);
  }

  /** What is replaced, by what, the line that the message names, and words of the message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "parameter = \"records\"|parameter = \"recods\"|9|parameter cannot be 'recods'",
        "parameter = \"records\"|parameter = \"batch\"|9|a key of this experiment's data or phases",
        "values = [100, 1000]|values = [100]|10|at least two different numbers",
        "values = [100, 1000]|values = [100, 100]|10|at least two different numbers",
        "values = [100, 1000]|values = [100, -1]|10|numbers above 0",
        "values = [100, 1000]|values = [100, 1.5]|14|records cannot be 1.5: it takes a whole number",
        "seconds = 2|rate = \"fast\"|21|rate 'fast': give operations per second",
        "scan = 0.2|scan = 0.3|36|shares that add up to 1",
        "scan = 0.2|scna = 0.2|36|'scna' is not one of them (did you mean 'scan'?)",
        "scan = 0.2|scan-all = 0.2|36|'scan-all' is not one of them",
        "scan = 0.2|scan = \"a\"|36|shares by operation",
        "operation = \"mixed\"|operation = \"get\"|36|mix cannot be",
        "scan_length = \"1..100\"|scan_length = \"many\"|33|Scan length 'many'",
        "700.5|0|33|must be above 0",
        "700.5|\"70 % of load\"|33|rate '70 % of load': give operations per second",
        "p99 < 2ms|99 < 2ms|33|give a percentile and a time",
        "rate = 700.5|batch = 1|42|nothing where there is no rate",
        "cold = true|cold = 1|26|cold cannot be 1: it takes true or false",
        "cold = true|keys = 5|26|keys cannot be 5: it takes 1 for the operation get",
        "operation = \"update\"|operation = \"delete\"|30|get, multi-get, scan, update or read-modify-write",
        "rate = 20_000|seconds = 5|28|ends with its phase: leave out",
        "operation = \"get\"|operation = \"update\"|28|only one of a phase and its background load may write",
        "operation = \"get\"|operation = \"delete\"|28|a phase that deletes has no background load",
        "name = \"write\"|name = \"load\"|21|the phase name 'load' is taken",
        "fixed = 1|fixed = []|47|at least one value for each option",
        "memory = \"512m\"|memory = \"big\"|2|memory cannot be 'big'",
      })
  void anErrorNamesItsLineAndHelps(String old, String wrong, int line, String message) {
    String text = GOOD.replace(old, wrong);
    assertThat(text).isNotEqualTo(GOOD);

    assertThatThrownBy(() -> SuiteFile.parse(text, "mine.toml"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageStartingWith("mine.toml:" + line + ": ")
        .hasMessageContaining(message);
  }
}

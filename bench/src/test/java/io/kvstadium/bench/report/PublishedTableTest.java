package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublishedTableTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  @Test
  void crudSumsItsPhasesAndAveragesItsTrials() {
    // given two trials of 1 + 10 + 20 + 30 + 40 + 2 ms and twice that, and a scan that is not of
    // the form
    ConfigurationResult good =
        configuration("sqlite", trial(1, crud(1).toArray(PhaseResult[]::new)), crudTrial(2, 2));
    ConfigurationResult failed = configuration("rocksdb", TrialResult.failed(1, 1, "disk full"));

    PublishedTable table = only(experiment("crud", null, good, failed));

    assertThat(columns(table))
        .containsExactly("create", "write", "read", "update", "delete", "close", "total");
    assertThat(table.blocks()).extracting(Rows::head).containsExactly("sqlite", "rocksdb");
    assertThat(table.blocks().getFirst().rows())
        .extracting(Row::name, Row::texts)
        .containsExactly(
            tuple("trial 1", List.of("1.0", "10.0", "20.0", "30.0", "40.0", "2.0", "103.0")),
            tuple("trial 2", List.of("2.0", "20.0", "40.0", "60.0", "80.0", "4.0", "206.0")),
            tuple("average", List.of("1.5", "15.0", "30.0", "45.0", "60.0", "3.0", "154.5")));
    assertThat(table.blocks().getLast().rows())
        .singleElement()
        .isEqualTo(
            Row.of("average", List.of("–", "–", "–", "–", "–", "–", "–")).as(Table.Weight.SUM));
    assertThat(table.remarks()).containsExactly("rocksdb: trial 1 failed: disk full");
  }

  @Test
  void aPhaseThatCrudLacksLeavesItsTotalOpen() {
    ConfigurationResult own =
        configuration(
            "sparkey",
            trial(1, phase("create", "create", 1, MILLI), phase("read", "get", 10, MILLI)));

    PublishedTable table = only(experiment("crud", null, own));

    assertThat(table.blocks().getFirst().rows().getFirst().texts())
        .containsExactly("1.0", "–", "1.0", "–", "–", "–", "–");
  }

  @Test
  void aSweepHasARowForEachPointAndConfiguration() {
    // given selects of 40, 20 and 90 ms for 1,000 records, and inserts in batches of 100 entries
    ExperimentResult small =
        experiment(
            "sweep",
            new SweepPoint("by records", "records", 1_000, List.of()),
            configuration("h2", sweepTrial(1, 1_000, 40), sweepTrial(2, 1_000, 20)),
            FakeResults.skipped("mysql", "no server"));
    ExperimentResult large =
        experiment(
            "sweep",
            new SweepPoint("by records", "records", 100_000, List.of()),
            configuration("h2", sweepTrial(1, 100_000, 90)),
            FakeResults.skipped("mysql", "no server"));

    List<List<PublishedTable>> tables = PublishedTable.of(List.of(small, large));

    assertThat(tables.get(1)).isEmpty();
    PublishedTable table = tables.getFirst().getFirst();
    assertThat(columns(table))
        .containsExactly("insert ms", "select ms", "per insert", "per select");
    assertThat(table.blocks())
        .containsExactly(
            new Rows(
                "records 1,000",
                List.of(
                    Row.of("h2", List.of("300", "30.0", "0.300", "0.0300")),
                    Row.of("mysql", List.of("–", "–", "–", "–")))),
            new Rows(
                "records 100,000",
                List.of(
                    Row.of("h2", List.of("900", "90.0", "0.00900", "0.000900")),
                    Row.of("mysql", List.of("–", "–", "–", "–")))));
    assertThat(table.remarks()).containsExactly("mysql: skipped: no server");
  }

  @Test
  void sweepsOfOneFormAreKeptApart() {
    List<List<PublishedTable>> tables =
        PublishedTable.of(
            List.of(
                experiment(
                    "sweep",
                    new SweepPoint("by records", "records", 1_000, List.of()),
                    configuration("h2", sweepTrial(1, 1_000, 40))),
                experiment(
                    "sweep",
                    new SweepPoint("by size", "value_size", 500, List.of()),
                    configuration("h2", sweepTrial(1, 1_000, 40)))));

    assertThat(tables)
        .extracting(each -> each.getFirst().blocks().getFirst().head())
        .containsExactly("records 1,000", "value size 500");
  }

  @Test
  void openReadHasLeastMeanAndMostOverAllTrials() {
    // given openings of 1 … 100 ms in one trial and of 102 … 201 ms in the other: mean 101
    ConfigurationResult own =
        configuration(
            "lmdb",
            trial(
                1,
                phase("import", "load", 1000, 3 * SECOND),
                phase("open-get", "open-get", 100, 5050 * MILLI)
                    .withHistogram(histogram(1, 100, i -> i * MILLI), 1)),
            trial(
                2,
                phase("import", "load", 1000, 5 * SECOND),
                phase("open-get", "open-get", 100, 15150 * MILLI)
                    .withHistogram(histogram(102, 201, i -> i * MILLI), 1)));

    PublishedTable table =
        only(experiment("open-read", null, own, FakeResults.skipped("speedb", "no mode")));

    assertThat(columns(table)).containsExactly("space", "write s", "min ms", "mean ms", "max ms");
    assertThat(table.blocks())
        .containsExactly(
            new Rows(
                "",
                List.of(
                    Row.of("lmdb†", List.of("3.00 MiB", "4.00", "1.00", "101", "201")),
                    Row.of("speedb", List.of("–", "–", "–", "–", "–")))));
    assertThat(table.remarks())
        .containsExactly(
            "lmdb†: gives power where process was asked for", "speedb: skipped: no mode");
  }

  @Test
  void whatOnlySomeDidHasRowsForThoseOnly() {
    ConfigurationResult java =
        configuration("lmdb (java)", trial(1, phase("read", "open-get", 2, 2 * MILLI)));
    ConfigurationResult python =
        configuration(
            "lmdb (python)",
            trial(
                1,
                phase("read", "open-get", 2, 4 * MILLI),
                phase("read, fresh process", "open-get", 1, 30 * MILLI)));

    PublishedTable table =
        only(experiment("open-read", null, java, python, FakeResults.skipped("speedb", "no mode")));

    assertThat(table.blocks())
        .extracting(block -> block.rows().stream().map(row -> row.name()).toList())
        .containsExactly(
            List.of("lmdb (java)", "lmdb (python)", "speedb"), List.of("lmdb (python)"));
  }

  @Test
  void multiGetsStandByRequestSizeColdAndWarm() {
    // given 30 requests of 50 keys that took 1 … 30 ms, and single ones of 1,000 keys
    Caches caches = new Caches("posix_fadvise", 0.004);
    ConfigurationResult own =
        configuration(
            "rocksdb",
            trial(
                1,
                requests("cold 50", 30, 50, 465 * MILLI)
                    .withHistogram(histogram(1, 30, i -> i * MILLI), 1)
                    .with(null, null, caches),
                requests("cold 1000", 1, 1_000, 29 * MILLI).with(null, null, caches),
                requests("warm 50", 10, 50, 5 * MILLI)),
            trial(
                2,
                requests("cold 1000", 1, 1_000, 31 * MILLI).with(null, null, caches),
                requests("warm 50", 10, 50, 15 * MILLI)));

    PublishedTable table =
        only(experiment("multiget", null, own, FakeResults.skipped("lmdb", "not here")));

    assertThat(columns(table)).containsExactly("50", "1,000");
    assertThat(table.blocks())
        .containsExactly(
            new Rows(
                "",
                List.of(
                    Row.of("rocksdb, cold", List.of("15.0", "30.0")),
                    Row.of("rocksdb, warm", List.of("1.00", "–")),
                    Row.of("lmdb", List.of("–", "–")))));
    assertThat(table.remarks())
        .containsExactly(
            "lmdb: skipped: not here",
            "cold: files dropped from memory by posix_fadvise; at most 1 % of their bytes stayed there");
  }

  @Test
  void aSweepOverKeysHasItsPointsAsColumns() {
    List<ExperimentResult> points = new ArrayList<>();
    for (long keys : List.of(50L, 300L)) {
      points.add(
          experiment(
              "multiget",
              new SweepPoint("requests", "keys", (double) keys, List.of()),
              configuration(
                  "rocksdb",
                  trial(
                      1,
                      requests("multi-get", 10, keys, keys * MILLI),
                      requests("multi-get parallel", 10, keys, keys * MILLI / 2)))));
    }

    PublishedTable table = PublishedTable.of(points).getFirst().getFirst();

    assertThat(columns(table)).containsExactly("50", "300");
    assertThat(table.blocks())
        .containsExactly(
            new Rows(
                "",
                List.of(
                    Row.of("rocksdb, warm, multi-get", List.of("5.00", "30.0")),
                    Row.of("rocksdb, warm, multi-get parallel", List.of("2.50", "15.0")))));
  }

  @Test
  void scaleHasFillsReadsUpdatesAndCosts() {
    // given 1,000 entries of 1,032 bytes in 2 s; 100,000 reads by 8 threads in 0.05 s of 1 … 100 µs
    // each; updates asked at 500/s that came at 400/s
    PhaseResult fill =
        phase("fill", "insert", 1_000, 2 * SECOND).with(1, 1_000, 1_032_000, Cost.UNKNOWN);
    PhaseResult read =
        phase("read", "get", 100_000, 50 * MILLI)
            .with(8, 100_000, 103_200_000, Cost.UNKNOWN)
            .withHistogram(histogram(0, 99_999, i -> 1_000 * (1 + i % 100)), 1);
    PhaseResult update =
        phase("update", "update", 400, SECOND)
            .with(1, 400, 412_800, Cost.UNKNOWN)
            .with(new Pace(500, "constant", false, null, null, null, List.of()), null, null);
    ConfigurationResult own =
        configuration(
            "halodb",
            trial(
                1,
                phase("open", "open", 1, 12 * MILLI),
                fill,
                read,
                update,
                phase("close", "close", 1, 3 * MILLI)));

    List<PublishedTable> tables =
        PublishedTable.of(List.of(experiment("scale", null, own))).getFirst();

    assertThat(tables)
        .extracting(PublishedTable::title)
        .containsExactly(
            "filling", "reads, and their latency in ns", "updates", "opening, memory and size");
    assertThat(tables)
        .extracting(each -> each.blocks().getFirst().head())
        .containsExactly("fill", "read", "update", "");
    // 1,032,000 B / 2 s; 100,000 / 0.05 s; mean of 1 … 100 µs is 50.5 µs (HdrHistogram: 3 digits)
    assertThat(cells(tables.get(0))).containsExactly("2.00", "500", "0.516");
    assertThat(cells(tables.get(1)).getFirst()).isEqualTo("2,000,000");
    assertThat(nanos(tables.get(1), 1)).isBetween(50_450L, 50_550L);
    assertThat(nanos(tables.get(1), 2)).isBetween(95_000L, 95_100L);
    assertThat(nanos(tables.get(1), 3)).isBetween(99_000L, 99_100L);
    assertThat(nanos(tables.get(1), 4)).isBetween(100_000L, 100_100L);
    assertThat(nanos(tables.get(1), 5)).isBetween(100_000L, 100_100L);
    assertThat(nanos(tables.get(1), 6)).isBetween(100_000L, 100_100L);
    assertThat(cells(tables.get(2))).containsExactly("400", "0.413", "500", "0 of 1");
    assertThat(cells(tables.get(3)))
        .containsExactly("12.0", "3.00", "64.0 MiB", "32.0 MiB", "3.00 MiB");
  }

  @Test
  void percentilesThatSamplesDoNotCarryAreLeftOut() {
    ConfigurationResult few =
        configuration(
            "few",
            trial(
                1,
                phase("read", "get", 1_000, SECOND)
                    .withHistogram(histogram(1, 1_000, _ -> 500), 1)));
    ConfigurationResult grouped =
        configuration(
            "grouped",
            trial(
                1,
                phase("read", "get", 32_000, SECOND)
                    .withHistogram(histogram(1, 1_000, _ -> 3_200), 32)));

    PublishedTable table =
        PublishedTable.of(List.of(experiment("scale", null, few, grouped))).getFirst().getFirst();

    assertThat(table.blocks().getFirst().rows())
        .extracting(Row::texts)
        .containsExactly(
            List.of("1,000", "500", "500", "500", "–", "–", "500"),
            List.of("32,000", "100", "–", "–", "–", "–", "–"));
    assertThat(table.remarks())
        .containsExactly(
            "grouped, read: 32 reads shared one clock reading, so only their mean is known");
  }

  @Test
  void latenciesOfReadsAtAFixedRateAreSaidToBeServiceTimes() {
    PhaseResult read =
        phase("read", "get", 1_000, SECOND).withHistogram(histogram(1, 1_000, _ -> 500), 1);
    String response = histogram(1, 1_000, _ -> 9_000);
    Pace pace = new Pace(1_000, "constant", true, response, null, null, List.of());
    ConfigurationResult fast = configuration("fast", trial(1, read));
    ConfigurationResult paced = configuration("paced", trial(1, read.with(pace, null, null)));

    PublishedTable closed =
        PublishedTable.of(List.of(experiment("scale", null, fast))).getFirst().getFirst();
    PublishedTable open =
        PublishedTable.of(List.of(experiment("scale", null, paced))).getFirst().getFirst();

    assertThat(cells(open)).isEqualTo(cells(closed));
    assertThat(closed.remarks()).isEmpty();
    assertThat(open.remarks())
        .containsExactly(
            "read: reads started at a fixed rate; these latencies are service times, without the"
                + " wait for earlier reads");
  }

  @Test
  void formsWithoutATableAndExperimentsWithoutFiguresHaveNone() {
    assertThat(
            PublishedTable.of(
                List.of(
                    experiment("common", null, configuration("a", crudTrial(1, 1))),
                    experiment("scale", null, FakeResults.skipped("a", "why")))))
        .containsExactly(List.of(), List.of());
  }

  @Test
  void groupsAreNamedWhereThereAreSeveral() {
    ConfigurationResult equal = configuration("h2", sweepTrial(1, 10, 1));
    ConfigurationResult shipped =
        FakeResults.configuration(
            "h2 as shipped", "h2", "default", "process", List.of(sweepTrial(1, 10, 1)));

    PublishedTable table = only(experiment("sweep", null, equal, shipped));

    assertThat(table.blocks().getFirst().rows())
        .extracting(Row::name)
        .containsExactly("h2 (equal)", "h2 as shipped (default)");
  }

  @Test
  void numbersHaveThreeDigitsWhateverTheirSize() {
    assertThat(List.of(68_180.4, 304.0, 99.96, 12.34, 9.996, 0.3141, 0.0133, 0.00077))
        .extracting(Units::plain)
        .containsExactly("68,180", "304", "100", "12.3", "10.0", "0.314", "0.0133", "0.000770");
    assertThat(Units.plain(Double.NaN)).isEqualTo("–");
    assertThat(Units.plain(0)).isEqualTo("0");
  }

  private static List<String> columns(PublishedTable table) {
    return table.heads().stream().map(Table.Head::text).toList();
  }

  private static List<String> cells(PublishedTable table) {
    return table.blocks().getFirst().rows().getFirst().texts();
  }

  private static long nanos(PublishedTable table, int column) {
    return Long.parseLong(cells(table).get(column).replace(",", ""));
  }

  private static PublishedTable only(ExperimentResult experiment) {
    List<PublishedTable> tables = PublishedTable.of(List.of(experiment)).getFirst();
    assertThat(tables).hasSize(1);
    return tables.getFirst();
  }

  private static PhaseResult phase(String name, String operation, long operations, long nanos) {
    return PhaseResult.of(name, operation, operations, nanos);
  }

  private static PhaseResult requests(String name, long requests, long keys, long nanos) {
    return phase(name, "multi-get", requests, nanos)
        .with(1, requests * keys, requests * keys * 54, Cost.UNKNOWN);
  }

  private static List<PhaseResult> crud(long factor) {
    return List.of(
        phase("create", "create", 1, factor * MILLI),
        phase("write", "insert", 100, factor * 10 * MILLI),
        phase("scan", "scan-all", 1, factor * 500 * MILLI),
        phase("read", "get", 100, factor * 20 * MILLI),
        phase("update", "update", 100, factor * 30 * MILLI),
        phase("delete", "delete", 100, factor * 40 * MILLI),
        phase("close", "close", 1, factor * 2 * MILLI));
  }

  private static TrialResult crudTrial(int number, long factor) {
    return trial(number, crud(factor).toArray(PhaseResult[]::new));
  }

  /** Inserts in batches of 100, ten times as slow as the selects. */
  private static TrialResult sweepTrial(int number, long records, long selectMillis) {
    return trial(
        number,
        phase("insert", "insert", Math.max(1, records / 100), 10 * selectMillis * MILLI)
            .with(1, records, records * 18, Cost.UNKNOWN),
        phase("select", "get", records, selectMillis * MILLI));
  }

  private static TrialResult trial(int number, PhaseResult... phases) {
    CostCard card =
        new CostCard(
            new CostCard.Sizes(3 << 20, 1 << 20, -1, -1),
            CostCard.UNKNOWN.settling(),
            new CostCard.Memory(64 << 20, 32 << 20, -1),
            CostCard.UNKNOWN.traffic());
    return new TrialResult(number, number, null, List.of(phases), card);
  }

  private static ConfigurationResult configuration(String name, TrialResult... trials) {
    return FakeResults.configuration(name, name, "equal", "process", List.of(trials));
  }

  private static ExperimentResult experiment(
      String form, @Nullable SweepPoint point, ConfigurationResult... configurations) {
    String name = point == null ? form : point.title();
    return new ExperimentResult(
        name, "Which?", form, point, 0, Map.of(), List.of(), List.of(configurations));
  }

  private static String histogram(long from, long to, LongUnaryOperator nanos) {
    return FakeResults.encoded(LongStream.rangeClosed(from, to).map(nanos));
  }
}

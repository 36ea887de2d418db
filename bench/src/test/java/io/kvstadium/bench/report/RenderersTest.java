package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.fake.Phases;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.OperationLatency;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RenderersTest {
  private static final Report REPORT = Report.of(FakeResults.full());

  @Test
  void everyReportSaysThatARunWasInterrupted() {
    Results own = FakeResults.of(FakeResults.speeds("lmdb", "read", 1e6, 1e6));
    Report report = Report.of(FakeResults.interrupted(own));
    String warning = "Interrupted: this shows only what was finished.";

    assertThat(TextReport.answer(report, false)).startsWith(warning + "\n");
    assertThat(TextReport.details(report, false)).startsWith(warning + "\n");
    assertThat(HtmlReport.render(report)).contains("<strong>" + warning + "</strong>");
    assertThat(TextReport.answer(Report.of(own), false)).doesNotContain(warning);
  }

  @Test
  void whatAnEngineSaysCannotSteerTheTerminal() {
    assertThat(TextStyle.clean("a\u001b[2Jb\nc\td")).isEqualTo("a [2Jb c d");
  }

  @Test
  void thePageEscapesEverything() {
    String page = HtmlReport.render(REPORT);

    assertThat(page).doesNotContain("<script>document.title").doesNotContain("{{");
    assertThat(page).contains("&lt;/script&gt;&lt;script&gt;");
    assertThat(page.split("</script>", -1)).as("no script but its own").hasSize(2);
  }

  @Test
  void thePageOpensWithTheHeatMap() {
    Report report =
        Report.of(
            FakeResults.of(
                FakeResults.speeds("slow", "read", 1e5, 1e5, 1e5),
                FakeResults.speeds("fast", "read", 1e6, 1e6, 1e6),
                FakeResults.speeds("unclear", "read", 9e5, 1e5, 5e6)));

    String page = HtmlReport.render(report);

    assertThat(page)
        .containsSubsequence(
            "<table class=\"heat\">",
            "<td style=\"--h:0\">1.00 M/s</td>",
            "<td style=\"--h:50\">×10 <small>100 k/s</small></td>",
            "<svg class=\"chart\"")
        .containsPattern("<td class=\"dim\" style=\"--h:\\d+\">~×1.\\d <small>766 k/s</small>");
  }

  @Tag("full")
  @Test
  void nineEnginesInNinePhasesTakeFourHundredKilobytes() {
    String page = HtmlReport.render(Report.of(RichResults.many(9, 9)));

    assertThat(page.split("<svg class=\"chart\"", -1)).hasSizeGreaterThan(9 + 8 + 8);
    assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(400_000);
  }

  @Tag("full")
  @Test
  void fiftyConfigurationsStayBelowTwelveHundredKilobytes() {
    String page = HtmlReport.render(Report.of(RichResults.many(50, 6)));

    assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(1_200_000);
  }

  @Test
  void markdownIsTheScreensTableWithEscapes() {
    String text = TextReport.markdown(REPORT);

    assertThat(text)
        .contains("|  | overall | load | read | update | scan | on disk |")
        .contains("key '\\</script\\>\\<script\\>")
        .doesNotContain("<script>");
  }

  @Test
  void showsHowOftenAnOperationFlushedTheDevice() {
    PhaseResult flushed = FakeResults.phase("put", 1_000, 1_000_000_000, 1, null);
    PhaseResult unknown = FakeResults.phase("get", 1_000, 1_000_000_000, 1, null);
    Cost cost = flushed.cost().withFlushes(1_040);
    ConfigurationResult own =
        FakeResults.configuration(
            "sqlite",
            "sqlite",
            "equal",
            "power",
            List.of(
                FakeResults.trial(
                    1, null, List.of(Phases.with(flushed, 1, 1_000, 0, cost), unknown))));
    Report report = Report.of(FakeResults.of(own));

    assertThat(TextReport.details(report, false)).containsPattern("sqlite .* 1\\.04 .*");
    assertThat(CsvReport.render(report.results())).contains(",flushes,").contains(",1040,");
  }

  @Test
  void unitsHaveThreeDigits() {
    assertThat(Units.rate(2_412_345)).isEqualTo("2.41 M/s");
    assertThat(Units.rate(999_700)).isEqualTo("1.00 M/s");
    assertThat(Units.rate(718)).isEqualTo("718 /s");
    assertThat(Units.time(999.4)).isEqualTo("999 ns");
    assertThat(Units.time(1_340)).isEqualTo("1.34 µs");
    assertThat(Units.time(90_000_000_000.0)).isEqualTo("90.0 s");
    assertThat(Units.bytes(1_181_116_006)).isEqualTo("1.10 GiB");
    assertThat(Units.percent(0.0041)).isEqualTo("0.4 %");
    assertThat(Units.percent(0.0412)).isEqualTo("4 %");
  }

  @Test
  void csvHasALineForEachPhaseOfEachTrialAndSaysWhatIsAbsent() throws IOException {
    String text = CsvReport.render(FakeResults.full());

    assertThat(text.split("\r\n", -1)[0]).startsWith("suite,experiment,sweep,parameter,value,");
    try (CSVParser parser = CSVParser.parse(text, CSVFormat.RFC4180.builder().setHeader().get())) {
      List<CSVRecord> lines = parser.getRecords();
      assertThat(lines).allMatch(CSVRecord::isConsistent);
      // 6 configurations of 5 trials of 6 phases but one that failed, one skipped; 8 of 3 of 8
      assertThat(lines).hasSize(29 * 6 + 1 + 1 + 8 * 3 * 8);
      CSVRecord read =
          lines.stream()
              .filter(line -> line.get("phase").equals("read"))
              .filter(line -> line.get("configuration").equals("rocksdb"))
              .findFirst()
              .orElseThrow();
      assertThat(read.get("trial")).isEqualTo("1");
      assertThat(read.get("operation")).isEqualTo("get");
      assertThat(read.get("operations")).isEqualTo("10000");
      assertThat(Double.parseDouble(read.get("ops_per_second")))
          .isEqualTo(1e4 * 1e9 / Double.parseDouble(read.get("nanos")));
      assertThat(read.get("service_samples")).isEqualTo("10000");
      assertThat(read.get("service_p999")).isNotEmpty();
      assertThat(read.get("service_p9999")).isEmpty();
      assertThat(read.get("response_p50")).isEmpty();
      assertThat(read.get("disk_bytes")).isEqualTo("130000000");
      assertThat(lines)
          .filteredOn(line -> !line.get("absent").isEmpty())
          .extracting(line -> line.get("configuration"), line -> line.get("trial"))
          .containsExactly(tuple("lmdb", "3"), tuple("speedb", ""));
    }
  }

  /** Service times of 2 µs and response times of 20 µs. */
  private static ConfigurationResult paced(String name) {
    OpenLoop openLoop =
        new OpenLoop(
            5_000,
            true,
            FakeResults.encoded(LongStream.range(0, 20_000).map(_ -> 20_000)),
            FakeResults.encoded(LongStream.range(0, 20_000).map(_ -> 50)),
            null,
            List.of());
    PhaseResult phase =
        FakeResults.phase(
                "paced",
                20_000,
                4_000_000_000L,
                1,
                FakeResults.encoded(LongStream.range(0, 20_000).map(_ -> 2_000)))
            .with(openLoop, null);
    return FakeResults.configuration(
        name, "sqlite", "equal", "process", List.of(FakeResults.trial(1, null, List.of(phase))));
  }

  @Test
  void responseTimesAreToldFromServiceTimesAtAFixedRate() {
    String text = TextReport.details(Report.of(FakeResults.of(paced("lmdb"))), false);

    assertThat(text.lines())
        .anyMatch(line -> line.matches("lmdb, response( +20\\.0 µs){5} .*"))
        .anyMatch(line -> line.matches("lmdb, service( +2\\.00 µs){5} .*"));
    assertThat(TextReport.details(REPORT, false))
        .as("a closed loop has service times only")
        .doesNotContain(", service")
        .doesNotContain(", response");
  }

  @Test
  void csvHasServiceTimesResponseTimesAndLatenessAtAFixedRate() throws IOException {
    String text = CsvReport.render(FakeResults.of(paced("lmdb")));

    try (CSVParser parser = CSVParser.parse(text, CSVFormat.RFC4180.builder().setHeader().get())) {
      CSVRecord line = parser.getRecords().getFirst();
      assertThat(line.get("service_p50")).isEqualTo("2000");
      assertThat(Long.parseLong(line.get("response_p50"))).isBetween(20_000L, 20_020L);
      assertThat(line.get("lateness_p50")).isEqualTo("50");
      assertThat(line.get("asked_rate")).isEqualTo("5000");
    }
  }

  @Test
  void ofBatchesThereIsNoPercentileInAnyReport() throws IOException {
    // given 20,000 batches of 32 operations, each of which took 64 µs, and an engine without
    // batches
    String histogram = FakeResults.encoded(LongStream.range(0, 20_000).map(_ -> 64_000));
    PhaseResult grouped =
        Phases.with(FakeResults.phase("read", 640_000, 1_280_000_000, 1, null), histogram, 32);
    PhaseResult single = FakeResults.phase("read", 20_000, 1_280_000_000, 1, histogram);
    Report both =
        Report.of(FakeResults.of(configuration("fast", grouped), configuration("slow", single)));
    Report alone = Report.of(FakeResults.of(configuration("fast", grouped)));

    assertThat(TextReport.details(both, false).lines())
        .anyMatch(line -> line.matches("fast \\(batches of 32\\) +2.00 µs( +–)+"))
        .anyMatch(line -> line.matches("slow +64.0 µs +64.0 µs +64.0 µs +64.0 µs .*"));
    assertThat(HtmlReport.render(both))
        .containsPattern(
            "(?s)fast \\(batches of 32\\)</th><td class=\"n\">2.00 µs</td>(<td class=\"n\">–</td>){6}")
        .contains("latency by percentile");
    assertThat(HtmlReport.render(alone)).doesNotContain("latency by percentile");
    ExperimentReport section = both.sections().getFirst();
    PhaseRanking ranking = section.groups().getFirst().rankings().getFirst();
    assertThat(Objects.requireNonNull(Charts.curves(ranking)).lines())
        .extracting(line -> line.name())
        .containsExactly("slow");
    try (CSVParser parser =
        CSVParser.parse(
            CsvReport.render(both.results()), CSVFormat.RFC4180.builder().setHeader().get())) {
      CSVRecord line = parser.getRecords().getFirst();
      assertThat(line.get("batch")).isEqualTo("32");
      assertThat(Double.parseDouble(line.get("service_mean"))).isBetween(1_990.0, 2_010.0);
      assertThat(List.of("min", "p50", "p99", "p999", "max"))
          .allMatch(figure -> line.get("service_" + figure).isEmpty());
    }
  }

  private static ConfigurationResult configuration(String name, PhaseResult phase) {
    return FakeResults.configuration(
        name, name, "equal", "process", List.of(FakeResults.trial(1, null, List.of(phase))));
  }

  @Test
  void wideTablesAreContinuedBelow() {
    List<Table.Cell> wide =
        Stream.of("1", "2", "3").map(each -> Table.Cell.of(each.repeat(30))).toList();
    List<Table.Cell> narrow = Stream.of("1", "2", "3").map(Table.Cell::of).toList();
    Table table =
        new Table(
            "name",
            Stream.of("a", "b", "c").map(each -> new Table.Head(each, false)).toList(),
            List.of(
                Table.Row.heading("both"),
                new Table.Row("x".repeat(31), null, wide, List.of()),
                new Table.Row("y", null, narrow, List.of())));

    assertThat(table.lines(new TextStyle(false)))
        .allMatch(line -> line.length() <= 80)
        .containsSubsequence("– both", "x".repeat(31))
        .anyMatch(line -> line.matches("y +1 +2"))
        .anyMatch(line -> line.matches("y +3"));
  }

  @Test
  void jsonHasEveryVerdictWithItsFactorAsNumbers() throws IOException {
    Report report =
        Report.of(
            FakeResults.of(
                FakeResults.speeds("fast", "read", 1e6, 1e6, 1e6),
                FakeResults.speeds("slow", "read", 1e5, 1e5, 1e5)));

    String text = JsonReport.render(report);

    assertThat(ResultsFile.parse(text, "printed")).isEqualTo(report.results());
    JsonNode verdicts = new ObjectMapper().readTree(text).get("verdicts");
    assertThat(verdicts).extracting(v -> v.get("verdict").asText()).contains("fastest", "slower");
    assertThat(verdicts.get(1).get("factor").isNumber()).isTrue();
    assertThat(verdicts.get(1).get("factor").doubleValue()).isCloseTo(10, within(1e-6));
    assertThat(verdicts.get(1).get("factorLow").isNumber()).isTrue();
    assertThat(verdicts.get(1).get("unit").asText()).isEqualTo("ops/s");
  }

  @Test
  void jsonHasTheFiguresThatTheScreenHas() throws IOException {
    String histogram =
        FakeResults.encoded(LongStream.range(0, 10_000).map(i -> i < 9_800 ? 2_000 : 64_000));
    PhaseResult phase =
        FakeResults.phase("mixed", 10_000, 20_000_000, 1, histogram)
            .with(draft ->
                draft.byOperation =
                    List.of(
                        new OperationLatency("get", 9_000, histogram, null),
                        new OperationLatency(
                            "update",
                            1_000,
                            FakeResults.encoded(LongStream.range(0, 1_000).map(_ -> 7_000)),
                            null)));
    Results results = FakeResults.of(configuration("x", phase));

    JsonNode figures =
        new ObjectMapper().readTree(JsonReport.render(Report.of(results))).get("figures");

    JsonNode whole = figures.get(0);
    assertThat(whole.get("phase").isNull()).isTrue();
    assertThat(whole.get("diskAtRestBytes").longValue()).isEqualTo(120_000_000);
    assertThat(whole.get("anonymousBytes").longValue()).isEqualTo(80_000_000);
    assertThat(whole.get("deviceWrittenBytes").longValue()).isEqualTo(320_000_000);
    JsonNode mixed = figures.get(1);
    assertThat(mixed.get("opsPerSecond").doubleValue()).isEqualTo(500_000);
    assertThat(mixed.get("cpuNanosPerOperation").longValue()).isEqualTo(2_000);
    assertThat(mixed.get("p50").longValue()).isEqualTo(2_000);
    assertThat(mixed.get("p90").longValue()).isEqualTo(2_000);
    assertThat(mixed.get("p99").longValue()).isBetween(64_000L, 64_063L);
    assertThat(mixed.get("p999").longValue()).isBetween(64_000L, 64_063L);
    assertThat(mixed.get("max").longValue()).isBetween(64_000L, 64_063L);
    assertThat(mixed.has("p9999")).as("too few samples").isFalse();
    assertThat(mixed.at("/byOperation/update/p99").longValue()).isBetween(7_000L, 7_003L);
    assertThat(mixed.at("/byOperation/get/samples").longValue()).isEqualTo(10_000);
    assertThat(TextReport.details(Report.of(results), false).lines())
        .anyMatch(line -> line.matches("x, update +7.00 µs .*"));
    assertThat(CsvReport.render(results).split("\r\n")[0]).contains("get_p99", "update_max");
  }
}

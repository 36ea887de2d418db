package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RenderersTest {
  private static final Report REPORT = Report.of(FakeResults.full());

  @Test
  void theConsoleKeepsToEightyColumnsAndPlainText() {
    String text = ConsoleReport.render(REPORT, false);

    assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    assertThat(text).doesNotContain("\u001b");
    assertThat(text)
        .contains("At durability process: lmdb is fastest at open, read, scan, close;")
        .contains("lmdb, trial 3 failed")
        .contains("speedb, skipped")
        .contains("\n  Figures: At durability process\n")
        .contains("harness-limited: the harness itself is 14 % of this figure")
        .contains("90.0 ns late (p99 2.10 µs) (null engine, same run).")
        .contains("Simple table");
  }

  @Test
  void aTerminalGetsColourAndTheSameText() {
    String plain = ConsoleReport.render(REPORT, false);
    String coloured = ConsoleReport.render(REPORT, true);

    assertThat(coloured).contains("\u001b[1m").contains("\u001b[32mfastest");
    assertThat(coloured.replaceAll("\u001b\\[[0-9]+m", "").lines().map(String::stripTrailing))
        .containsExactlyElementsOf(plain.lines().toList());
  }

  @Test
  void everyReportSaysThatARunWasInterrupted() {
    Results own = FakeResults.of(FakeResults.speeds("lmdb", "read", 1e6, 1e6));
    Report report = Report.of(FakeResults.interrupted(own));
    String warning = "Interrupted: this shows only what was finished.";

    assertThat(ConsoleReport.render(report, false)).startsWith("Suite quick  " + warning + "\n");
    assertThat(MarkdownReport.render(report)).contains("**" + warning + "**");
    assertThat(HtmlReport.render(report)).contains("<strong>" + warning + "</strong>");
    assertThat(ConsoleReport.render(Report.of(own), false)).startsWith("Suite quick\n");
  }

  @Test
  void whatAnEngineSaysCannotSteerTheTerminal() {
    assertThat(Ink.clean("a\u001b[2Jb\nc\td")).isEqualTo("a [2Jb c d");
  }

  @Test
  void thePageEscapesEverything() {
    String page = HtmlReport.render(REPORT);

    assertThat(page).doesNotContain("<script>document.title").doesNotContain("{{");
    assertThat(page).contains("&lt;/script&gt;&lt;script&gt;");
    assertThat(page).contains("its pacer starts operations 90.0 ns late (p99 2.10 µs)");
    // its own, the downloads, and the views of both groups with latencies and of crud
    assertThat(page.split("</script>", -1)).hasSize(3 + 3 + 1);
  }

  @Test
  void thePageOpensWithTheScreenAndAHeatMapFollows() {
    Report report =
        Report.of(
            FakeResults.of(
                FakeResults.speeds("slow", "read", 1e5, 1e5, 1e5),
                FakeResults.speeds("fast", "read", 1e6, 1e6, 1e6),
                FakeResults.speeds("unclear", "read", 9e5, 1e5, 5e6)));

    String page = HtmlReport.render(report);

    assertThat(page)
        .containsSubsequence(
            "At durability process, 3 configurations, 3 trials each",
            "<table class=\"ranks\">",
            "<dt>Mostly reads</dt>",
            "How many times slower than the fastest of each phase, on a logarithmic scale",
            "<td class=\"fastest\" style=\"--h:0\"><span class=\"median\">×1</span>",
            "<td style=\"--h:50\"><span class=\"median\">×10</span>"
                + " <span class=\"spread\">100 k/s</span></td>",
            "<svg class=\"chart\"",
            "<div class=\"verdict\">")
        .containsPattern("<span class=\"median\">\\(×1.1\\)</span> <span class=\"spread\">900 k/s")
        .doesNotContain("--details");
  }

  @Tag("full")
  @Test
  void nineEnginesInNinePhasesTakeHalfAMegabyte() {
    String page = HtmlReport.render(Report.of(RichResults.many(9, 9)));

    assertThat(page.split("<svg class=\"chart\"", -1)).hasSizeGreaterThan(9 + 8 + 8);
    assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(500_000);
    assertThat(page).as("the histograms, which fit").contains("data-log");
  }

  @Tag("full")
  @Test
  void fiftyConfigurationsStayBelowTwelveHundredKilobytes() {
    String page = HtmlReport.render(Report.of(RichResults.many(50, 6)));

    assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(1_200_000);
    assertThat(page).contains("the histograms are only in the run");
  }

  @Test
  void markdownEscapesWhatItsReadersWouldInterpret() {
    String text = MarkdownReport.render(REPORT);

    assertThat(text)
        .contains("| lmdb | 2.38 M/s† |")
        .contains("key '\\</script\\>\\<script\\>")
        .contains("its pacer starts operations 90.0 ns late")
        .doesNotContain("<script>");
  }

  @Test
  void whatGivesAStrongerDurabilityThanAskedIsMarkedInItsCells() {
    String console = ConsoleReport.render(REPORT, false);

    assertThat(console.lines())
        .contains("  † gives power where process was asked for: lmdb.")
        .anyMatch(line -> line.matches("  read +587 k/s +2.38 M/s†\\* +215 k/s"))
        .anyMatch(line -> line.matches("  lmdb +2.38 M/s† +\\S+ % +fastest"))
        .anyMatch(line -> line.matches("  sqlite +215 k/s +\\S+ % +slower .*"));
    assertThat(MarkdownReport.render(REPORT)).contains("| lmdb | 2.38 M/s† |", "| 215 k/s |");
    assertThat(HtmlReport.render(REPORT))
        .contains("<span class=\"median\">2.38 M/s†</span>")
        .contains("<span class=\"median\">215 k/s</span>")
        .contains("† gives power where process was asked for: lmdb.");
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
            List.of(FakeResults.trial(1, null, List.of(flushed.with(1, 1_000, 0, cost), unknown))));
    Report report = Report.of(FakeResults.of(own));

    assertThat(MarkdownReport.render(report))
        .contains("| put | median | 95 % interval | against the first | flushes per operation |")
        .containsPattern("\\| sqlite .*\\| 1.04 \\|\n")
        .contains("| get | median | 95 % interval | against the first |\n");
    assertThat(HtmlReport.render(report)).containsOnlyOnce("1.04 flushes/op");
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
  void aSweepIsATableForEachPhaseAndNotABlockForEachPoint() {
    long[] records = {
      1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 9_000_000
    };
    Report report = Report.of(FakeResults.of(FakeResults.sweep("by records", records)));

    String text = ConsoleReport.render(report, false);

    assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    assertThat(text.lines().filter(line -> line.contains("median, by records"))).hasSize(6);
    assertThat(text.lines())
        .anyMatch(line -> line.matches(" +1,000 +3,000 +10,000 +.*"))
        .anyMatch(line -> line.matches("  bdb +129 k/s\\*.*"))
        .anyMatch(line -> line.matches("  - insert: bdb is fastest at every point\\."));
    assertThat(text)
        .containsOnlyOnce("tkrzw, skipped: no such engine")
        .contains("Simple table: total milliseconds, and per record");
  }

  @Test
  void everyPublishedTableIsOnThePageAndInMarkdown() {
    Report report = Report.of(FakeResults.of(FakeResults.sweep("by records", 1_000, 10_000)));

    assertThat(HtmlReport.render(report))
        .contains("Simple table: total milliseconds, and per record")
        .contains("colspan=\"5\">records 10,000</th>")
        .contains("<li>tkrzw: skipped: no such engine</li>");
    assertThat(MarkdownReport.render(report))
        .contains("|  | configuration | insert ms | select ms | per insert |")
        .contains("| records 10,000 | tkrzw | – | – | – | – |")
        .contains("- tkrzw: skipped: no such engine");
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
    Pace pace =
        new Pace(
            5_000,
            "poisson",
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
            .with(pace, null, null);
    return FakeResults.configuration(
        name, "sqlite", "equal", "process", List.of(FakeResults.trial(1, null, List.of(phase))));
  }

  @Test
  void theConsoleTellsResponseFromServiceTimesAtAFixedRate() {
    String name = "sqlite wal, one transaction";
    String text =
        ConsoleReport.render(Report.of(FakeResults.of(paced("lmdb"), paced(name))), false);

    assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 80);
    assertThat(text.lines())
        .containsSequence(
            "  lmdb, response  20.0 µs  20.0 µs  20.0 µs  20.0 µs  20.0 µs",
            "  lmdb, service   2.00 µs  2.00 µs  2.00 µs  2.00 µs  2.00 µs",
            "  " + name + ", response",
            "                  20.0 µs  20.0 µs  20.0 µs  20.0 µs  20.0 µs",
            "  " + name + ", service",
            "                  2.00 µs  2.00 µs  2.00 µs  2.00 µs  2.00 µs");
    assertThat(ConsoleReport.render(REPORT, false))
        .as("a closed loop has service times only")
        .doesNotContain(", service")
        .doesNotContain(", response");
  }

  @Test
  void markdownHasResponseTimesAtAFixedRateAndSaysSo() {
    String text = MarkdownReport.render(Report.of(FakeResults.of(paced("lmdb"))));

    assertThat(text)
        .contains("| paced | mean | p50 | p99 | p99.9 | max |")
        .containsPattern("\\| lmdb, response( \\| 20.0 µs){5} \\|\n")
        .containsPattern("\\| lmdb, service( \\| 2.00 µs){5} \\|\n");
    assertThat(MarkdownReport.render(REPORT))
        .doesNotContain(", response")
        .doesNotContain(", service");
  }

  @Test
  void csvHasServiceTimesResponseTimesAndLatenessAtAFixedRate() throws IOException {
    String text = CsvReport.render(FakeResults.of(paced("lmdb")));

    try (CSVParser parser = CSVParser.parse(text, CSVFormat.RFC4180.builder().setHeader().get())) {
      CSVRecord line = parser.getRecords().getFirst();
      assertThat(line.get("service_p50")).isEqualTo("2000");
      assertThat(Long.parseLong(line.get("response_p50"))).isBetween(20_000L, 20_020L);
      assertThat(line.get("lateness_p50")).isEqualTo("50");
      assertThat(line.get("asked_rate")).isEqualTo("5000.0");
    }
  }

  @Test
  void ofBatchesThereIsNoPercentileInAnyReport() throws IOException {
    // given 20,000 batches of 32 operations, each of which took 64 µs, and an engine without
    // batches
    String histogram = FakeResults.encoded(LongStream.range(0, 20_000).map(_ -> 64_000));
    PhaseResult grouped =
        FakeResults.phase("read", 640_000, 1_280_000_000, 1, null).withHistogram(histogram, 32);
    PhaseResult single = FakeResults.phase("read", 20_000, 1_280_000_000, 1, histogram);
    Report both =
        Report.of(FakeResults.of(configuration("fast", grouped), configuration("slow", single)));
    Report alone = Report.of(FakeResults.of(configuration("fast", grouped)));

    assertThat(ConsoleReport.render(both, false).lines())
        .anyMatch(line -> line.matches("  fast \\(batches of 32\\) +2.00 µs +– +– +– +–"))
        .anyMatch(line -> line.matches("  slow +64.0 µs +64.0 µs +64.0 µs +64.0 µs +64.0 µs"))
        .anyMatch(line -> line.contains("timed in batches, only their mean is known"));
    assertThat(MarkdownReport.render(both))
        .contains("| fast (batches of 32) | 2.00 µs | – | – | – | – |")
        .containsPattern("\\| slow( \\| 64.0 µs){5} \\|\n");
    assertThat(HtmlReport.render(both))
        .containsPattern(
            "(?s)fast \\(batches of 32\\)</th><td class=\"n\">2.00 µs</td>(<td class=\"n\">–</td>){6}")
        .contains("latency by percentile");
    assertThat(HtmlReport.render(alone)).doesNotContain("latency by percentile");
    ExperimentReport section = both.sections().getFirst();
    PhaseRanking ranking = section.groups().getFirst().rankings().getFirst();
    assertThat(Objects.requireNonNull(Charts.curves(ranking)).lines())
        .extracting(LineChart.Line::name)
        .containsExactly("slow");
    for (Scatters.Latency latency : List.of(Scatters.Latency.P50, Scatters.Latency.P99)) {
      assertThat(Scatters.chart(ranking, latency, Scatters.Cost.SPACE))
          .as("no second one with a percentile")
          .isNull();
    }
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
    Table table =
        new Table(
            Table.Look.PLAIN,
            "",
            "name",
            Table.heads("a", "b", "c"),
            List.of(
                new Table.Rows(
                    "both",
                    List.of(
                        Table.Row.of(
                            "x".repeat(31),
                            List.of("1".repeat(30), "2".repeat(30), "3".repeat(30))),
                        Table.Row.of("y", List.of("1", "2", "3")).as(Table.Weight.SUM)))));
    Grid grid = new Grid(new Ink(false), table);

    assertThat(grid.lines())
        .allMatch(line -> line.length() <= 80)
        .containsSubsequence("  both", "    " + "x".repeat(31))
        .anyMatch(line -> line.matches("    y +1 +2"))
        .anyMatch(line -> line.matches("    y +3"))
        .filteredOn(line -> line.strip().startsWith("y "))
        .hasSize(2);
  }
}

package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.testsupport.Chromium;
import io.kvstadium.testsupport.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens the report in a real browser. Skipped if there is none, except in continuous integration
 * (environment variable {@code CI=true}), where that is a failure.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HtmlReportBrowserTest {
  private Chromium chromium;
  private Path file;
  private Path directory;

  @BeforeAll
  void open(@TempDir Path folder) throws Exception {
    directory = folder;
    Needs.that(Chromium.program().isPresent(), "a browser", "chromium");
    file = directory.resolve("report.html");
    Files.writeString(file, HtmlReport.render(Report.of(FakeResults.full())));
    chromium = Chromium.start(Chromium.program().orElseThrow(), directory.resolve("profile"));
  }

  @AfterAll
  void close() throws Exception {
    if (chromium != null) {
      chromium.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "375, light", "375, dark", "320, light"})
  void everyChartIsThereWithoutScriptsAndFits(int width, String scheme) throws Exception {
    // given a page without its scripts, under a policy that allows none
    Path still = directory.resolve("still.html");
    Files.writeString(
        still,
        Files.readString(file)
            .replace("script-src 'unsafe-inline'; ", "")
            .replaceAll("(?s)<script.*?</script>", ""));
    chromium.show(width, 900, scheme);
    chromium.open(still);

    assertThat(count("svg.chart")).isGreaterThan(20);
    assertThat(drawn()).isEqualTo(count("svg.chart"));
    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('button, select')]"
                        + ".filter(e => e.checkVisibility()).length")
                .asInt())
        .as("controls that would do nothing")
        .isZero();
    JsonNode wider =
        chromium.evaluate(
            "[...document.querySelectorAll('svg.chart')].filter(e =>"
                + " e.getBoundingClientRect().right > document.documentElement.clientWidth).length");
    assertThat(wider.asInt()).as("drawings that reach beyond the page").isZero();
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .as("width of the page, which must not be scrolled sideways")
        .isLessThanOrEqualTo(width);
    assertQuiet();
  }

  /** Two runs of all that a report has, with curves over each other. */
  @ParameterizedTest
  @ValueSource(ints = {1280, 400})
  void aComparisonFitsAndHasACurveOfEachRun(int width, @TempDir Path folder) throws Exception {
    List<NamedRun> runs =
        List.of(
            new NamedRun("before <b>", FakeResults.full()),
            new NamedRun("after", FakeResults.named(FakeResults.slowed(1.3), "0.2.0", "quick")));
    Comparison comparison = Comparison.of(runs, Comparison.MARGIN);
    Thresholds.Result gate = Thresholds.parse("throughput<-10%").check(comparison, runs);
    Path page = folder.resolve("comparison.html");
    Files.writeString(page, HtmlComparison.render(comparison, runs, gate));

    chromium.show(width, 900, "light");
    chromium.open(page);

    assertThat(gate.broken()).isNotEmpty();
    assertThat(count("svg.chart")).isGreaterThan(5);
    assertThat(count("svg.chart .line")).isEqualTo(2 * count("svg.chart"));
    assertThat(drawn()).isEqualTo(count("svg.chart"));
    assertThat(count("#differences tbody tr")).as("the version of Stadium").isEqualTo(1);
    assertThat(count("caption:empty")).isZero();
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(width);
    assertThat(chromium.evaluate("document.querySelector('h1').textContent").asText())
        .contains("before <b> → after");
    assertQuiet();
  }

  @ParameterizedTest
  @ValueSource(ints = {1280, 400})
  void aBoardFitsIsSortedAndFiltered(int width, @TempDir Path folder) throws Exception {
    List<NamedRun> runs =
        List.of(
            new NamedRun("one <b>", FakeResults.full()),
            new NamedRun("other", FakeResults.slowed(1.3)));
    Path page = folder.resolve("board.html");
    Files.writeString(page, HtmlBoard.render(runs));
    Path still = folder.resolve("still.html");
    Files.writeString(still, Files.readString(page).replaceAll("(?s)<script.*?</script>", ""));

    chromium.show(width, 900, "light");
    chromium.open(still);
    int all = count("[data-filters] tbody tr");
    assertThat(count("select")).as("controls that would do nothing").isZero();
    chromium.open(page);
    chromium.evaluate(
        "const s = document.querySelectorAll('.choices select')[0]; s.value = 'rocksdb';"
            + " s.dispatchEvent(new Event('change')); document.querySelector('th.w').click()");

    assertThat(all).isGreaterThan(10);
    assertThat(count("#b1 tbody tr[hidden]")).isPositive();
    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('#b1 tbody tr:not([hidden])')]"
                        + ".map(row => row.cells[1].textContent + ' ' + row.cells[2].textContent).join()")
                .asText())
        .startsWith("one <b> rocksdb,")
        .endsWith(",other rocksdb");
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(width);
    assertQuiet();
  }

  @ParameterizedTest
  @ValueSource(ints = {1100, 1280, 1536})
  void tablesOfLatenciesShowAllColumns(int width) throws Exception {
    chromium.show(width, 900, "light");
    chromium.open(file);

    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('.drawing .scroll')]"
                        + ".filter(e => e.scrollWidth > e.clientWidth).length")
                .asInt())
        .isZero();
  }

  @Test
  void theAnswerOfNineEnginesAtNinePhasesIsSeenWhole(@TempDir Path folder) throws Exception {
    Path nine = folder.resolve("nine.html");
    Files.writeString(nine, HtmlReport.render(Report.of(RichResults.many(9, 10))));

    chromium.show(1100, 900, "light");
    chromium.open(nine);

    assertThat(count(".heat thead th")).as("with name, overall, disk and two p99").isEqualTo(14);
    assertThat(
            chromium
                .evaluate(
                    "[...document.querySelectorAll('.scroll:has(.heat)')]"
                        + ".filter(e => e.scrollWidth > e.clientWidth).length")
                .asInt())
        .isZero();
    assertThat(Files.size(nine)).isLessThan(400 << 10);
  }

  /** The number of charts with visible lines, bars or markers. */
  private int drawn() throws Exception {
    return chromium
        .evaluate(
            """
            [...document.querySelectorAll('svg.chart')].filter(chart =>
              chart.getBoundingClientRect().height > 50
                && [...chart.querySelectorAll('.bar rect, .line polyline, .line use')].some(mark => {
                  const style = getComputedStyle(mark);
                  return (style.fill !== 'none' || style.stroke !== 'none')
                    && mark.getBoundingClientRect().height > 0;
                })).length
            """)
        .asInt();
  }

  @Test
  void pointingAtALineNamesItAndItsFigures() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);
    chromium.evaluate("document.querySelector('.line').scrollIntoView({block: 'center'})");
    JsonNode place =
        chromium.evaluate(
            """
            (() => {
              const line = document.querySelector('.line polyline');
              const at = line.points[0].matrixTransform(line.getScreenCTM());
              return [at.x, at.y];
            })()
            """);

    chromium.call(
        "Input.dispatchMouseEvent",
        Map.of("type", "mouseMoved", "x", place.get(0).asDouble(), "y", place.get(1).asDouble()));

    assertThat(text(".tip")).matches("rocksdb\np0\n[0-9.]+ [nµ]s");
    assertThat(count(".line.on")).isOne();
    assertQuiet();
  }

  @Test
  void loadsNothingButItself() throws Exception {
    int before = chromium.events("Network.requestWillBeSent").size();
    chromium.show(1280, 900, "light");
    chromium.open(file);

    List<String> requested =
        chromium.events("Network.requestWillBeSent").stream()
            .skip(before)
            .map(event -> event.at("/params/request/url").asText())
            .filter(url -> !url.startsWith("data:"))
            .distinct()
            .toList();
    assertThat(requested).allMatch(url -> url.equals(file.toUri().toString()));
    assertQuiet();
  }

  @Tag("full")
  @Test
  void showsCoursesRatesAndSweeps() throws Exception {
    Path rich = directory.resolve("rich.html");
    Files.writeString(rich, HtmlReport.render(Report.of(RichResults.all())));
    chromium.show(1280, 900, "light");
    chromium.open(rich);

    assertThat(text("#h-e2")).isEqualTo("Which store serves growth best?");
    assertThat(count("#e2 > details")).isEqualTo(4);
    assertThat(count("#e2 > .drawings .reach")).isPositive();
    assertThat(count("#e1 .strip")).isPositive();
    chromium.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })");
    assertThat(drawn()).isEqualTo(count("svg.chart"));
    assertQuiet();
  }

  @Test
  void tablesAreSortedByWhatTheirFiguresAmountTo() throws Exception {
    Path full = directory.resolve("sorted.html");
    Files.writeString(full, HtmlReport.render(Report.of(FakeResults.full())));
    chromium.show(1280, 900, "light");
    chromium.open(full);
    String column =
        """
        (() => {
          const table = [...document.querySelectorAll('table')]
            .find(t => [...t.tHead.rows[0].cells].some(c => c.textContent === 'mean'));
          const at = [...table.tHead.rows[0].cells].findIndex(c => c.textContent === 'mean');
          table.tHead.rows[0].cells[at].click();
          return [...table.tBodies[0].rows].map(row => row.cells[at].textContent).join('|');
        })()
        """;

    List<Double> up = figures(chromium.evaluate(column).asText());
    List<Double> down = figures(chromium.evaluate(column).asText());

    assertThat(up).hasSizeGreaterThan(2).isSorted();
    assertThat(down).isSortedAccordingTo(Comparator.reverseOrder()).isNotEqualTo(up);
    assertQuiet();
  }

  @Test
  void columnsAreHiddenAndShownAgain() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);
    String second =
        """
        (() => {
          const columns = document.querySelector('.columns');
          const box = columns.querySelectorAll('input')[1];
          box.click();
          const table = columns.nextElementSibling;
          const cells = [...table.rows].map(row => row.cells[2]).filter(cell => cell);
          return [table.rows[0].cells[2].textContent === box.parentNode.textContent.trim(),
            cells.length > 1, cells.every(cell => cell.offsetParent === null),
            table.rows[0].cells[1].offsetParent !== null].join(' ');
        })()
        """;

    assertThat(chromium.evaluate(second).asText()).isEqualTo("true true true true");
    assertThat(chromium.evaluate(second).asText()).isEqualTo("true true false true");
    assertQuiet();
  }

  private static List<Double> figures(String cells) {
    Map<String, Double> units =
        Map.of("ns", 1e-9, "µs", 1e-6, "ms", 1e-3, "/s", 1.0, "k/s", 1e3, "M/s", 1e6);
    return Stream.of(cells.replace("†", "").split("\\|"))
        .filter(each -> each.matches("[\\d.]+ \\S+"))
        .map(each -> each.split(" "))
        .map(each -> Double.parseDouble(each[0]) * units.getOrDefault(each[1], Double.NaN))
        .toList();
  }

  @Test
  void theThemeIsAButton() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    String background = "getComputedStyle(document.body).backgroundColor";
    String light = chromium.evaluate(background).asText();
    chromium.evaluate("document.getElementById('theme').click()");

    assertThat(chromium.evaluate(background).asText()).isNotEqualTo(light);
    assertThat(chromium.evaluate("document.getElementById('theme').ariaPressed").asText())
        .isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({"light", "dark"})
  void everyColourStandsOutFromThePaper(String scheme) throws Exception {
    chromium.show(1280, 900, scheme);
    chromium.open(file);

    JsonNode min =
        chromium.evaluate(
            """
            (() => {
              const probe = document.body.appendChild(document.createElement('i'));
              const luminance = (name) => {
                probe.style.color = `var(--${name})`;
                const [r, g, b] = getComputedStyle(probe).color.match(/[0-9.]+/g)
                  .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const contrast = (a, b) => {
                const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
                return (high + 0.05) / (low + 0.05);
              };
              const words = ['ink', 'soft', 'accent', 'good', 'bad', 'warn'].map((c) => contrast(c, 'paper'));
              words.push(contrast('soft', 'wash'), contrast('accent', 'wash'), contrast('warn', 'warn-wash'));
              const lines = [...Array(12).keys()].map((i) => contrast(`s${i}`, 'paper'));
              return [Math.min(...words), Math.min(...lines)];
            })()
            """);

    assertThat(min.get(0).asDouble()).as("text, level AA of WCAG 2").isGreaterThanOrEqualTo(4.5);
    assertThat(min.get(1).asDouble()).as("graphics, level AA").isGreaterThanOrEqualTo(3);
  }

  @Tag("full")
  @Test
  void fiftyConfigurationsOpenAndDraw(TestReporter reporter) throws Exception {
    Path many = directory.resolve("many.html");
    Files.writeString(many, HtmlReport.render(Report.of(RichResults.many(50, 6))));
    chromium.show(1280, 900, "light");
    chromium.open(many);
    JsonNode times =
        chromium.evaluate(
            "[performance.getEntriesByType('navigation')[0].domInteractive,"
                + " performance.getEntriesByType('navigation')[0].loadEventEnd]");
    // a figure, not a condition: the machine may be busy
    reporter.publishEntry("milliseconds to interactive, loaded", times.toString());

    assertThat(count("svg.chart")).isGreaterThan(15);
    assertThat(drawn()).isEqualTo(count("svg.chart"));
    assertQuiet();
  }

  @Test
  void runsNoScriptThatAnEngineSaid() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    assertThat(chromium.evaluate("document.title").asText()).isEqualTo("quick: KV Stadium report");
    assertThat(chromium.evaluate("document.body.textContent").asText()).contains("<b>");
  }

  @Test
  void tablesAndChartsHaveNames() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    assertThat(chromium.evaluate("document.querySelectorAll('th:not([scope])').length").asInt())
        .isZero();
    assertThat(
            chromium
                .evaluate("[...document.querySelectorAll('table')].filter(t => !t.caption).length")
                .asInt())
        .isZero();
    assertThat(
            chromium
                .evaluate("document.querySelectorAll('svg.chart:not([aria-label])').length")
                .asInt())
        .isZero();
  }

  @Tag("full")
  @Test
  void prints() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    JsonNode pdf = chromium.call("Page.printToPDF", Map.of("printBackground", true));

    assertThat(pdf.get("data").asText()).startsWith("JVBERi0");
    assertThat(sizesOnPaper())
        .as("heights of charts as the style sheet scales them on paper")
        .allMatch(height -> height.asDouble() > 30);
    assertQuiet();
  }

  /** Does what a browser does to print without scripts: it applies the print style. */
  private JsonNode sizesOnPaper() throws Exception {
    chromium.call("Emulation.setEmulatedMedia", Map.of("media", "print"));
    JsonNode sizes =
        chromium.evaluate(
            "[...document.querySelectorAll('svg.chart')]"
                + ".map(e => e.getBoundingClientRect().height)");
    chromium.call("Emulation.setEmulatedMedia", Map.of("media", ""));
    return sizes;
  }

  private int count(String selector) throws Exception {
    return chromium.evaluate("document.querySelectorAll('" + selector + "').length").asInt();
  }

  private String text(String selector) throws Exception {
    return chromium.evaluate("document.querySelector('" + selector + "').textContent").asText();
  }

  /** Asserts that there was no exception, and that neither the page nor the browser complained. */
  private void assertQuiet() {
    assertThat(chromium.events("Runtime.exceptionThrown")).isEmpty();
    assertThat(chromium.events("Runtime.consoleAPICalled")).isEmpty();
    assertThat(chromium.events("Log.entryAdded")).isEmpty();
  }
}

package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvstadium.bench.result.ResultsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Opens the report in a real browser. Skipped where there is none, except in continuous integration
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
    boolean present = Chromium.program().isPresent();
    if (!"true".equals(System.getenv("CI"))) {
      assumeTrue(
          present, "no Chromium on this machine: install it to check the report in a browser");
    }
    assertThat(present).as("Chromium, which continuous integration must install").isTrue();
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
  void drawsEverythingAndFits(int width, String scheme) throws Exception {
    chromium.show(width, 900, scheme);
    chromium.open(file);
    scrollThrough();

    int charts = chromium.evaluate("document.querySelectorAll('[data-chart]').length").asInt();
    int drawn =
        chromium
            .evaluate(
                "[...document.querySelectorAll('[data-chart]')].filter(e =>"
                    + " e.querySelectorAll('svg path').length > 2"
                    + " && e.getBoundingClientRect().height > 50).length")
            .asInt();
    assertThat(charts).isGreaterThan(20);
    assertThat(drawn).isEqualTo(charts);
    JsonNode wider =
        chromium.evaluate(
            "[...document.querySelectorAll('[data-chart] svg')].filter(e =>"
                + " e.getBoundingClientRect().right > document.documentElement.clientWidth).length");
    assertThat(wider.asInt()).as("drawings that reach beyond the page").isZero();
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .as("width of the page, which must not be scrolled sideways")
        .isLessThanOrEqualTo(width);
    assertQuiet();
  }

  @Test
  void loadsNothingButItself() throws Exception {
    int before = chromium.events("Network.requestWillBeSent").size();
    chromium.show(1280, 900, "light");
    chromium.open(file);
    scrollThrough();

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

  @Test
  void handsOutTheResultsThatItWasMadeFrom() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    String results = chromium.evaluate("report.unpacked('results')").asText();

    assertThat(ResultsFile.parse(results, "embedded")).isEqualTo(FakeResults.full());
  }

  @Test
  void handsOutHistogramsThatTheirLibraryReads() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    String log = chromium.evaluate("report.log(0)").asText();

    Path saved = directory.resolve("load.hlog");
    Files.writeString(saved, log);
    List<EncodableHistogram> histograms = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(saved.toFile())) {
      for (var next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        histograms.add(next);
      }
    }
    // one trial of lmdb has failed
    assertThat(histograms)
        .extracting(EncodableHistogram::getTag, each -> ((Histogram) each).getTotalCount())
        .containsExactly(
            tuple("rocksdb:service", 50_000L),
            tuple("lmdb:service", 40_000L),
            tuple("sqlite:service", 50_000L));
  }

  @Test
  void showsCoursesRatesAndSweeps() throws Exception {
    Path rich = directory.resolve("rich.html");
    Files.writeString(rich, HtmlReport.render(Report.of(RichResults.all())));
    chromium.show(1280, 900, "light");
    chromium.open(rich);
    scrollThrough();

    assertThat(count("[data-chart]:not(details *):not(:has(svg path))")).isZero();
    assertThat(text("#h-e2")).isEqualTo("Which store serves growth best?");
    assertThat(count("#e2 > details")).isEqualTo(4);
    // a folded point is drawn once it is opened
    chromium.evaluate("document.querySelector('#e2 > details').open = true");
    scrollThrough();
    assertThat(count("#e2 > details[open] > .figures > .charts [data-chart]:not(:has(svg path))"))
        .isZero();
    assertQuiet();
  }

  @Test
  void theReaderChoosesWhatIsSetAgainstWhat() throws Exception {
    Path rich = directory.resolve("choices.html");
    Files.writeString(rich, HtmlReport.render(Report.of(RichResults.all())));
    chromium.show(1280, 900, "light");
    chromium.open(rich);
    scrollThrough();

    String heads = "#e1 table[data-scatter] thead";
    assertThat(text(heads)).contains("bytes on disk per live byte");
    chromium.evaluate(
        "(() => { const s = document.querySelector('#e1 [data-of=x]'); s.value = 'cpu';"
            + " s.dispatchEvent(new Event('change', {bubbles: true})); })()");

    assertThat(text(heads)).contains("processor time per operation").contains("cold read");
    // the fastest also takes the least processor time, so that it alone is beaten by none
    assertThat(text("#e1 table[data-scatter] tbody tr:first-child"))
        .contains("rocksdb")
        .contains("beaten by none");
    assertThat(text("#e1 table[data-scatter] tbody tr:nth-child(2)")).contains("beaten by another");
    assertQuiet();
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

    JsonNode least =
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
              const lines = [...Array(8).keys()].map((i) => contrast(`s${i}`, 'paper'));
              return [Math.min(...words), Math.min(...lines)];
            })()
            """);

    assertThat(least.get(0).asDouble()).as("text, level AA of WCAG 2").isGreaterThanOrEqualTo(4.5);
    assertThat(least.get(1).asDouble()).as("graphics, level AA").isGreaterThanOrEqualTo(3);
  }

  @Test
  void fiftyConfigurationsOpenAndDraw(TestReporter reporter) throws Exception {
    Path many = directory.resolve("many.html");
    Files.writeString(many, HtmlReport.render(Report.of(RichResults.many(50))));
    chromium.show(1280, 900, "light");
    chromium.open(many);
    JsonNode times =
        chromium.evaluate(
            "report.ready.then(() => [performance.now(),"
                + " performance.getEntriesByType('navigation')[0].domInteractive,"
                + " performance.getEntriesByType('navigation')[0].loadEventEnd])");
    // a figure, not a condition: the machine may be busy
    reporter.publishEntry("milliseconds to charts, interactive, loaded", times.toString());
    scrollThrough();

    assertThat(count("[data-chart]")).isGreaterThan(15);
    assertThat(count("[data-chart]:not(:has(svg path))")).isZero();
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
                .evaluate("document.querySelectorAll('[data-chart]:not([aria-label])').length")
                .asInt())
        .isZero();
  }

  @Test
  void prints() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);
    chromium.evaluate("report.ready");

    JsonNode pdf = chromium.call("Page.printToPDF", Map.of("printBackground", true));

    assertThat(pdf.get("data").asText()).startsWith("JVBERi0");
    assertThat(sizesOnPaper())
        .as("heights of charts as the style sheet scales them on paper")
        .allMatch(height -> height.asDouble() > 30);
    assertQuiet();
  }

  /** What a browser does to print: it tells the page, and then applies the style for paper. */
  private JsonNode sizesOnPaper() throws Exception {
    chromium.evaluate("dispatchEvent(new Event('beforeprint'))");
    chromium.call("Emulation.setEmulatedMedia", Map.of("media", "print"));
    JsonNode sizes =
        chromium.evaluate(
            "[...document.querySelectorAll('[data-chart] svg')]"
                + ".map(e => e.getBoundingClientRect().height)");
    chromium.call("Emulation.setEmulatedMedia", Map.of("media", ""));
    return sizes;
  }

  /** Lets everything be drawn, which happens as it comes into view. */
  private void scrollThrough() throws Exception {
    chromium.evaluate(
        """
        (async () => {
          await report.ready;
          for (const place of document.querySelectorAll('[data-chart]')) {
            place.scrollIntoView();
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          }
        })()
        """);
  }

  private int count(String selector) throws Exception {
    return chromium.evaluate("document.querySelectorAll('" + selector + "').length").asInt();
  }

  private String text(String selector) throws Exception {
    return chromium.evaluate("document.querySelector('" + selector + "').textContent").asText();
  }

  /** No exception, and neither the page nor the browser had anything to complain of. */
  private void assertQuiet() {
    assertThat(chromium.events("Runtime.exceptionThrown")).isEmpty();
    assertThat(chromium.events("Runtime.consoleAPICalled")).isEmpty();
    assertThat(chromium.events("Log.entryAdded")).isEmpty();
  }
}

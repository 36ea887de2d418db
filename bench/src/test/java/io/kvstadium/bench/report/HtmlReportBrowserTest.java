package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.kvstadium.bench.result.ResultsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
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

  @BeforeAll
  void open(@TempDir Path directory) throws Exception {
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
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .as("width of the page, which must not be scrolled sideways")
        .isLessThanOrEqualTo(width);
    assertQuiet();
  }

  @Test
  void loadsNothingButItself() throws Exception {
    chromium.show(1280, 900, "light");
    chromium.open(file);

    List<String> requested =
        chromium.events("Network.requestWillBeSent").stream()
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

    String results = chromium.evaluate("document.getElementById('results').textContent").asText();
    String link = chromium.evaluate("document.getElementById('download').href").asText();

    assertThat(link).startsWith("blob:");
    assertThat(ResultsFile.parse(results, "embedded")).isEqualTo(FakeResults.full());
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

  /** No exception, and neither the page nor the browser had anything to complain of. */
  private void assertQuiet() {
    assertThat(chromium.events("Runtime.exceptionThrown")).isEmpty();
    assertThat(chromium.events("Runtime.consoleAPICalled")).isEmpty();
    assertThat(chromium.events("Log.entryAdded")).isEmpty();
  }
}

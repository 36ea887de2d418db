package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
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
        .contains("harness-limited: the harness itself is 14 % of this figure")
        .contains("As published");
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
  void whatAnEngineSaysCannotSteerTheTerminal() {
    assertThat(Ink.clean("a\u001b[2Jb\nc\td")).isEqualTo("a [2Jb c d");
  }

  @Test
  void thePageIsBelowTwoMegabytesAndEscapesEverything() {
    String page = HtmlReport.render(REPORT);

    assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(2_000_000);
    assertThat(page).doesNotContain("<script>document.title").doesNotContain("{{");
    assertThat(page.split("</script>", -1)).as("the page's own scripts").hasSize(6);
    assertThat(page).contains("&lt;/script&gt;&lt;script&gt;");
  }

  @Test
  void fiftyConfigurationsStayBelowTwoMegabytes() {
    String page = HtmlReport.render(Report.of(RichResults.many(50)));

    assertThat(page.getBytes(StandardCharsets.UTF_8).length).isLessThan(2_000_000);
    assertThat(page).contains("they have two digits here");
  }

  @Test
  void markdownEscapesWhatItsReadersWouldInterpret() {
    String text = MarkdownReport.render(REPORT);

    assertThat(text)
        .contains("| lmdb | 2.38 M/s |")
        .contains("key '\\</script\\>\\<script\\>")
        .doesNotContain("<script>");
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
}

package io.kvstadium.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Pattern PREFIX = Pattern.compile("^(service|response|lateness)_");

  @Test
  void eachFigureHasANameOfItsOwn() {
    assertThat(Figures.ALL).extracting(Figure::name).doesNotHaveDuplicates();
    assertThat(Figures.ALL).extracting(Figure::camel).doesNotHaveDuplicates();
    assertThat(Figures.COMPARED).doesNotHaveDuplicates();
    assertThat(Figures.COMPARED)
        .as("only what has a direction can be compared")
        .noneMatch(figure -> figure.better() == Figure.Better.NONE);
  }

  /** A figure that is missing on either side, or has another unit or direction, is named. */
  @Test
  void theTableOfTheDocumentationIsTheCatalogue() throws IOException {
    Map<String, String> written = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("../docs/results-schema.md"))) {
      String[] cells = line.split(" *[|] *", -1);
      if (cells.length == 6 && List.of("higher", "lower", "–").contains(cells[3])) {
        Matcher name = Pattern.compile("`([^`]+)`").matcher(cells[1]);
        while (name.find()) {
          written.put(name.group(1), cells[2] + ", " + cells[3]);
        }
      }
    }
    Map<String, String> expected = new LinkedHashMap<>();
    for (Figure figure : Figures.ALL) {
      String better = figure.better() == Figure.Better.NONE ? "–" : figure.better().word();
      // times of each kind have one row
      expected.put(
          PREFIX.matcher(figure.name()).replaceFirst(""), figure.unit().word() + ", " + better);
    }

    assertThat(written).containsExactlyInAnyOrderEntriesOf(expected);
  }

  @Test
  void aSpeedIsHigherWhereAFigureIsBetter() {
    assertThat(Figures.RATE.speed(4)).isGreaterThan(Figures.RATE.speed(2));
    assertThat(Figures.DISK.speed(4)).isLessThan(Figures.DISK.speed(2));
    assertThat(Figures.DISK.ofSpeed(Figures.DISK.speed(4))).isEqualTo(4);
    assertThat(Figures.RATE.ofSpeed(Figures.RATE.speed(4))).isEqualTo(4);
  }

  @Test
  void whatIsNotKnownIsNoNumber() {
    PhaseResult phase = PhaseResult.of("read", "get", 10, 1_000);
    Samples samples =
        Samples.of(new TrialResult(1, 1, null, List.of(phase), CostCard.UNKNOWN), phase);

    assertThat(Figures.RATE.raw(samples)).isEqualTo(10_000_000L);
    assertThat(Figures.CPU.raw(samples)).isNull();
    assertThat(Figures.P99.raw(samples)).isNull();
    PhaseResult unseen = phase.with(of -> of.cost = new Cost(0, -1, -1, -1, -1, -1, null));
    assertThat(Figures.CPU.raw(Samples.of(List.of(unseen)))).as("a coarse clock").isNull();
    assertThat(Figures.DISK.raw(samples)).isNull();
    assertThat(Figures.DISK.text(samples)).isEqualTo("–");
  }
}

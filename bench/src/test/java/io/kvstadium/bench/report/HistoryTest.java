package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.ChangePoints.Change;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
  @Test
  void aStepIsFoundInTheOrderOfTimeWithWhatChangedThen() {
    // given runs in another order than they began
    List<NamedRun> runs = new ArrayList<>();
    for (int day = 1; day <= 8; day++) {
      double speed = (day < 5 ? 1e6 : 7e5) * (1 + day % 3 / 100.0);
      runs.add(run(day, day < 5 ? "1.0" : "1.1", speed));
    }
    Collections.reverse(runs);

    History history = History.of(runs, null).getFirst();

    assertThat(history.runs()).extracting(NamedRun::name).startsWith("run 1", "run 2");
    History.Series read =
        history.series().stream()
            .filter(each -> each.part().phase().equals("read"))
            .findFirst()
            .orElseThrow();
    assertThat(read.changes()).extracting(Change::at).containsExactly(4);
    assertThat(history.changes())
        .singleElement()
        .asString()
        .contains("x read: slower ×1.4", "run 5", "2026-11-05", "Stadium: 1.0 → 1.1");
    assertThat(read.steps()).hasSize(4);
    assertThat(History.text(List.of(history), false).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void runsOfOtherMachinesAreAHistoryOfTheirOwn() {
    NamedRun here = run(1, "1.0", 1e6);
    NamedRun again = run(3, "1.0", 1e6);
    Machine machine = here.results().machine();
    NamedRun there =
        new NamedRun(
            "there",
            run(2, "1.0", 5e6)
                .results()
                .on(
                    new Machine(
                        "another",
                        machine.cores(),
                        machine.memoryBytes(),
                        machine.system(),
                        machine.java(),
                        machine.fileSystem(),
                        machine.device())));

    List<History> histories = History.of(List.of(here, there, again), null);

    assertThat(histories).hasSize(2);
    assertThat(histories.getFirst().runs()).containsExactly(here, again);
    assertThat(histories.getLast().runs()).containsExactly(there);
    assertThat(History.text(histories, false)).contains("processor: ", "another");
    assertThat(HtmlHistory.render(histories)).contains("→ another");
  }

  @Test
  void aFigureIsThatOfItsPhaseOrOperation() {
    List<NamedRun> runs =
        List.of(
            new NamedRun("a", FakeResults.of(FakeResults.tailed(2_000, 100_000_000))),
            new NamedRun("b", FakeResults.of(FakeResults.tailed(90_000, 130_000_000))));

    assertThat(series(runs, "disk")).containsExactly("on disk");
    assertThat(series(runs, "p99(update)")).containsExactly("mixed update p99");
    assertThatThrownBy(() -> series(runs, "p99(nowhere)"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("p99(nowhere)");
    assertThatThrownBy(() -> FigureName.parse("p42")).isInstanceOf(BadArgumentException.class);
    assertThatThrownBy(() -> FigureName.parse("p99(")).isInstanceOf(BadArgumentException.class);
  }

  private static List<String> series(List<NamedRun> runs, String figure) {
    return History.of(runs, FigureName.parse(figure)).getFirst().series().stream()
        .map(History.Series::title)
        .toList();
  }

  private static NamedRun run(int day, String stadium, double speed) {
    Results own =
        FakeResults.named(
            FakeResults.of(FakeResults.speeds("x", "read", speed, speed * 1.01, speed * 0.99)),
            stadium,
            "quick");
    return new NamedRun(
        "run " + day,
        new Results(
            own.schema(),
            own.stadium(),
            own.request(),
            "2026-11-0" + day + "T10:00:00+01:00",
            own.seconds(),
            own.complete(),
            own.machine(),
            own.findings(),
            own.audit(),
            own.experiments()));
  }
}

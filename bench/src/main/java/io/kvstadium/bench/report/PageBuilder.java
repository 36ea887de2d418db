package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns a report into the texts of the page, and collects its charts on the way. */
final class PageBuilder {
  private final List<Chart> charts = new ArrayList<>();

  /** The charts of what was built, by number. */
  List<Chart> charts() {
    return charts;
  }

  Page page(Report report) {
    Results results = report.results();
    List<Page.Part> parts = new ArrayList<>();
    for (Section section : report.sections()) {
      parts.add(part(parts.size() + 1, section));
    }
    return new Page(
        results.suite(),
        !results.complete(),
        results.started(),
        Circumstances.machine(results.machine()),
        notes(results, false),
        parts.size() > 1,
        parts,
        facts(results),
        results.audit() == null ? null : Circumstances.audit(results.audit()),
        notes(results, true),
        Circumstances.INTERVALS);
  }

  private Page.Part part(int number, Section section) {
    List<Page.Group> groups = new ArrayList<>();
    section.divisions().forEach(division -> groups.add(group(division)));
    return new Page.Part(
        number,
        section.experiment().name(),
        section.experiment().question(),
        groups,
        section.absences(),
        section.costs().stream().map(PageBuilder::cost).toList(),
        section.published(),
        facts(section.experiment()),
        setups(section));
  }

  private Page.Group group(Division division) {
    List<String> names = division.configurations().stream().map(ConfigurationResult::name).toList();
    List<Chart.Bars> bars = new ArrayList<>();
    List<Page.LatencyTable> latencies = new ArrayList<>();
    for (Board board : division.boards()) {
      Chart.Bars chart = Chart.bars(charts.size(), board, names);
      charts.add(chart);
      bars.add(chart);
    }
    for (Board board : division.boards()) {
      Chart.Curves chart = Chart.curves(charts.size(), board, names);
      if (chart != null) {
        charts.add(chart);
      }
      if (board.cells().stream().anyMatch(cell -> cell.latencies() != null)) {
        latencies.add(new Page.LatencyTable(board.phase(), chart, latencyRows(board, names)));
      }
    }
    return new Page.Group(
        division.title(),
        division.headline(),
        division.note(),
        division.boards().stream().map(b -> new Page.Line(b.phase(), b.sentence())).toList(),
        division.boards().stream().map(Board::phase).toList(),
        rows(division, names),
        bars,
        division.boards().stream().map(PageBuilder::standings).toList(),
        !latencies.isEmpty(),
        latencies,
        marks(division));
  }

  private static List<Page.Row> rows(Division division, List<String> names) {
    List<Page.Row> rows = new ArrayList<>();
    for (String name : names) {
      List<Page.Figure> figures = new ArrayList<>();
      for (Board board : division.boards()) {
        Cell cell = board.cell(name);
        figures.add(cell == null ? Page.Figure.NONE : figure(board, cell));
      }
      if (figures.stream().anyMatch(Page.Figure::present)) {
        rows.add(new Page.Row(name, Chart.series(names, name), figures));
      }
    }
    return rows;
  }

  private static Page.Figure figure(Board board, Cell cell) {
    double spread = cell.rate().spread();
    String kind =
        switch (cell.verdict()) {
          case Verdict.Slower _ -> "slower";
          case null -> board.decided() ? "fastest" : "leading";
          default -> "undecided";
        };
    return new Page.Figure(
        true,
        board.figure(cell),
        Double.isNaN(spread) ? "n = 1" : "± " + Units.percent(spread),
        cell.verdict() == null ? board.standing(cell) : Units.percent(cell.relative()) + " of best",
        kind,
        (int) Math.round(cell.relative() * 100),
        cell.marks().stream().map(Mark::word).toList());
  }

  /** Each mark's word once, with what it says for each cell that bears it. */
  private static List<Mark> marks(Division division) {
    List<Mark> marks = new ArrayList<>();
    for (Board board : division.boards()) {
      for (Cell cell : board.cells()) {
        for (Mark mark : cell.marks()) {
          String where = cell.configuration() + ", " + board.phase() + ": ";
          marks.add(new Mark(mark.word(), where + mark.explanation()));
        }
      }
    }
    return marks;
  }

  private static Page.PhaseTable standings(Board board) {
    return new Page.PhaseTable(
        board.phase(),
        board.cells().stream()
            .map(cell ->
                new Page.Standing(
                    cell.configuration(),
                    board.figure(cell),
                    board.interval(cell).isEmpty() ? "none at n = 1" : board.interval(cell),
                    cell.rate().n(),
                    board.standing(cell),
                    Double.isNaN(cell.cpuNanos()) ? "–" : Units.time(cell.cpuNanos())))
            .toList());
  }

  private static List<Page.LatencyRow> latencyRows(Board board, List<String> names) {
    List<Page.LatencyRow> rows = new ArrayList<>();
    for (Cell cell : board.cells()) {
      Latencies latencies = cell.latencies();
      if (latencies != null) {
        List<String> at =
            Latencies.TABLE.stream()
                .map(latencies::at)
                .map(nanos -> nanos == null ? "–" : Units.time(nanos))
                .toList();
        rows.add(
            new Page.LatencyRow(
                cell.configuration(),
                Chart.series(names, cell.configuration()),
                at.get(0),
                at.get(1),
                at.get(2),
                Units.time(latencies.maxNanos()),
                latencies.batch() > 1 ? "batches of " + latencies.batch() : ""));
      }
    }
    return rows;
  }

  private static Page.Cost cost(Costs costs) {
    return new Page.Cost(
        costs.configuration(),
        Circumstances.bytes(costs.diskBytes()),
        Double.isNaN(costs.amplification()) ? "–" : Units.digits(costs.amplification()),
        Circumstances.bytes(costs.anonymousBytes()),
        Circumstances.bytes(costs.fileBytes()));
  }

  private static List<Page.Setup> setups(Section section) {
    List<Page.Setup> setups = new ArrayList<>();
    for (Division division : section.divisions()) {
      List<String> names =
          division.configurations().stream().map(ConfigurationResult::name).toList();
      for (ConfigurationResult each : division.configurations()) {
        setups.add(
            new Page.Setup(
                each.name(),
                Chart.series(names, each.name()),
                each.title() + " " + each.version(),
                each.group(),
                each.url(),
                each.durability(),
                each.effective(),
                each.settings().isEmpty() ? "–" : each.settings(),
                each.options().isEmpty() ? "–" : options(each.options()),
                trials(each)));
      }
    }
    return setups;
  }

  private static String options(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String trials(ConfigurationResult configuration) {
    if (configuration.skipped() != null) {
      return "skipped";
    }
    return Trials.good(configuration).size() + " of " + configuration.trials().size();
  }

  private static List<Page.Fact> facts(ExperimentResult experiment) {
    List<Page.Fact> facts = new ArrayList<>();
    experiment.data().forEach((name, value) -> facts.add(new Page.Fact(name, value)));
    Set<String> seeds = new LinkedHashSet<>();
    for (ConfigurationResult configuration : experiment.configurations()) {
      configuration.trials().forEach(trial -> seeds.add(Long.toString(trial.seed())));
    }
    facts.add(new Page.Fact("seeds of the trials", String.join(", ", seeds)));
    return facts;
  }

  private static List<Page.Fact> facts(Results results) {
    Machine machine = results.machine();
    return List.of(
        new Page.Fact("Processor", machine.cpu() + ", " + machine.cores() + " cores"),
        new Page.Fact("Memory", Units.bytes(machine.memoryBytes())),
        new Page.Fact("System", machine.system()),
        new Page.Fact("Java", machine.java()),
        new Page.Fact("File system", machine.fileSystem() + " on " + machine.device()),
        new Page.Fact("Stadium", results.stadium()),
        new Page.Fact("Command", results.command()),
        new Page.Fact("Started", results.started()),
        new Page.Fact("Took", Circumstances.seconds(results.seconds())),
        new Page.Fact("Seed", Long.toString(results.seed())));
  }

  private static List<Page.Note> notes(Results results, boolean all) {
    return results.findings().stream()
        .filter(finding -> all || finding.level() != Finding.Level.NOTE)
        .map(finding ->
            new Page.Note(
                finding.level().name().toLowerCase(Locale.ROOT),
                finding.subject(),
                finding.message()))
        .toList();
  }
}

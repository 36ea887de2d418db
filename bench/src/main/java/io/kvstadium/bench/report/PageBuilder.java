package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.stats.Projection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns a report into the texts of the page, and collects its histograms on the way. */
final class PageBuilder {
  private final Samples samples = new Samples();

  /** The histograms of what was built. */
  Samples samples() {
    return samples;
  }

  Page page(Report report) {
    Results results = report.results();
    List<Page.Entry> entries = new ArrayList<>();
    List<SweepSummary> sweeps = new ArrayList<>(report.sweeps());
    for (Section section : report.sections()) {
      String id = "e" + (entries.size() + 1);
      SweepPoint point = section.experiment().point();
      if (point == null) {
        entries.add(experiment(id, section));
      } else if (sweeps.removeIf(sweep -> sweep.name().equals(point.sweep()))) {
        // the whole sweep stands where its first point does
        entries.add(sweep(id, report.sweep(point.sweep())));
      }
    }
    return new Page(
        results.suite(),
        !results.complete(),
        results.started(),
        Circumstances.machine(results.machine()),
        notes(results, false),
        entries,
        facts(results),
        results.audit() == null ? null : Circumstances.audit(results.audit()),
        notes(results, true),
        Circumstances.INTERVALS);
  }

  private Page.Entry experiment(String id, Section section) {
    return new Page.Entry(
        id,
        name(section.experiment().name(), section.experiment()),
        section.experiment().question(),
        section.divisions().stream()
            .map(division -> new Page.Line(division.title(), division.headline()))
            .toList(),
        part(id, section),
        null);
  }

  private Page.Entry sweep(String id, SweepSummary sweep) {
    ExperimentResult first = sweep.points().getFirst().experiment();
    List<Page.SweepGroup> groups = sweep.groups().stream().map(g -> group(sweep, g)).toList();
    List<Page.Point> points = new ArrayList<>();
    for (Section section : sweep.points()) {
      String title = sweep.words() + " " + Units.number(SweepSummary.value(section));
      points.add(new Page.Point(title, part(id + "-" + (points.size() + 1), section)));
    }
    return new Page.Entry(
        id,
        name(sweep.name(), first),
        first.question(),
        groups.stream()
            .flatMap(group ->
                group.verdicts().stream()
                    .filter(line -> Trials.workload(line.phase()))
                    .map(line ->
                        new Page.Line(
                            group.title() + ", " + line.phase(), capital(line.sentence()))))
            .toList(),
        null,
        new Page.Sweep(
            groups,
            sweep.points().stream().flatMap(point -> point.published().stream()).toList(),
            points));
  }

  private Page.SweepGroup group(SweepSummary sweep, SweepSummary.Group group) {
    return new Page.SweepGroup(
        group.title(),
        group.phases().stream()
            .map(phase ->
                new Page.Line(phase.name(), "over " + sweep.words() + ": " + phase.sentence()))
            .toList(),
        group.phases().stream()
            .map(phase ->
                new Page.Drawing(
                    Charts.sweep(sweep, group, phase),
                    List.of(table(sweep, group, phase)),
                    laws(sweep, phase),
                    null))
            .toList());
  }

  /** What a reader must know of projected figures. */
  private static String laws(SweepSummary sweep, SweepSummary.Phase phase) {
    List<String> laws = new ArrayList<>();
    for (SweepSummary.Line line : phase.lines()) {
      Projection law = line.law();
      if (law != null) {
        laws.add(
            String.format(
                Locale.ROOT,
                "%s: exponent %.2f, misses the largest by %s",
                line.configuration(),
                law.exponent(),
                Units.percent(Math.abs(law.heldOutError()))));
      }
    }
    return laws.isEmpty()
        ? ""
        : "Hollow points are projected: time per operation as a power of "
            + sweep.words()
            + ", with the interval that one further trial would fall into if the law holds so far."
            + " The line through the smaller points shows what to expect of it. "
            + String.join("; ", laws)
            + ".";
  }

  private static Page.Table table(
      SweepSummary sweep, SweepSummary.Group group, SweepSummary.Phase phase) {
    List<Double> values =
        phase.lines().stream()
            .flatMap(line -> line.figures().stream())
            .map(SweepSummary.Figure::value)
            .distinct()
            .sorted()
            .toList();
    List<Page.TableRow> rows = new ArrayList<>();
    for (SweepSummary.Line line : phase.lines()) {
      List<String> cells = new ArrayList<>();
      for (double value : values) {
        cells.add(
            line.figures().stream()
                .filter(figure -> figure.value() == value)
                .findFirst()
                .map(figure -> figure.text(phase.single()).replace(" [", "\n[")) // a line each
                .orElse(CostTexts.UNKNOWN));
      }
      Key key = Key.of(group.names(), line.configuration());
      rows.add(new Page.TableRow(key, false, line.configuration(), cells));
    }
    return new Page.Table(
        phase.name() + " over " + sweep.words(),
        false,
        values.stream().map(Units::number).toList(),
        rows);
  }

  private static String capital(String sentence) {
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  private static String name(String name, ExperimentResult experiment) {
    return experiment.memoryBytes() > 0
        ? name + " · memory limited to " + Units.bytes(experiment.memoryBytes())
        : name;
  }

  private Page.Part part(String id, Section section) {
    List<Page.Group> groups = new ArrayList<>();
    for (Division division : section.divisions()) {
      groups.add(new GroupBuilder(samples, section, division).group());
    }
    return new Page.Part(
        id,
        section.experiment().name(),
        groups,
        section.absences(),
        section.costs().isEmpty() ? null : CostTexts.card(section.costs()),
        section.experiment().point() == null ? section.published() : List.of(),
        facts(section.experiment()),
        setups(section));
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
                Key.of(names, each.name()),
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
    if (experiment.memoryBytes() > 0) {
      String limit = Units.bytes(experiment.memoryBytes()) + ", page cache included";
      facts.add(new Page.Fact("memory of each trial", limit));
    }
    Circumstances.cold(experiment)
        .forEach((phase, how) -> facts.add(new Page.Fact("cold phase " + phase, how)));
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

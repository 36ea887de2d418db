package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Medium;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Style;
import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.report.Block.Terms;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Puts a report into a document. */
final class ReportDocument {
  private static final List<Column<ConfigurationResult>> SETUP =
      List.of(
          words("engine", own -> own.title() + " " + own.version()),
          words(
              "durability",
              own ->
                  "%s asked, %s in force; group %s"
                      .formatted(own.durability(), own.effective(), own.group())),
          words("by", ConfigurationResult::settings),
          words("evidence", own -> Objects.requireNonNullElse(own.evidence(), "")),
          words("opened", ConfigurationResult::url),
          words("options", ReportDocument::options),
          words("trials with figures", ReportDocument::trials));

  private ReportDocument() {}

  static Document of(Report report) {
    Results results = report.results();
    List<Document.Section> sections = new ArrayList<>();
    for (List<ExperimentReport> together : report.chapters()) {
      ExperimentReport first = together.getFirst();
      sections.add(
          first.experiment().point() == null
              ? experiment(first)
              : SweepDocument.section(Sweep.of(together)));
    }
    return new Document(
        "Suite " + results.suite(),
        Circumstances.machine(results.machine()) + ".",
        results.complete() ? "" : "Interrupted: this shows only what was finished.",
        results.findings().stream()
            .filter(finding -> finding.level() != Finding.Level.NOTE)
            .map(ReportDocument::term)
            .toList(),
        sections,
        closing(results));
  }

  private static Document.Section experiment(ExperimentReport section) {
    ExperimentResult experiment = section.experiment();
    return new Document.Section(
        name(experiment.name(), experiment), experiment.question(), List.of(), blocks(section));
  }

  /**
   * An experiment's name, with the memory limit, without which its figures cannot be understood.
   */
  static String name(String name, ExperimentResult experiment) {
    return experiment.memoryBytes() > 0
        ? name + " · memory limited to " + Units.bytes(experiment.memoryBytes())
        : name;
  }

  /** The whole content for an experiment. */
  static List<Block> blocks(ExperimentReport section) {
    List<Block> blocks = new ArrayList<>();
    if (!section.experiment().data().isEmpty()) {
      blocks.add(Block.Text.aside("Data: " + data(section.experiment()) + "."));
    }
    List<GroupDocument> groups =
        section.groups().stream().map(group -> new GroupDocument(section, group)).toList();
    MigrationAnswer answer = section.answer();
    if (answer != null) {
      Term whole = answer.answer();
      List<Block> said = List.of(new Text(Style.LEAD, whole.text()), new Terms(answer.details()));
      blocks.add(Block.asText(new Part(Kind.VERDICT, Words.sentence(whole.name()), said)));
    }
    groups.forEach(group -> blocks.add(Block.asText(group.verdict())));
    groups.forEach(group -> blocks.addAll(group.figures()));
    if (!section.costs().isEmpty()) {
      blocks.add(new Part(Kind.FIGURES, "Costs", Costs.blocks(section.costs())));
    }
    if (section.experiment().point() == null) {
      section.published().forEach(table -> blocks.add(table.part()));
      blocks.addAll(absences(section.absences()));
    }
    blocks.add(Block.on(Medium.PAGE, run(section)));
    return blocks;
  }

  /** The shape of the data, in one line. */
  private static String data(ExperimentResult experiment) {
    return experiment.data().entrySet().stream()
        .map(each -> each.getKey() + " " + Facts.text(each.getValue()))
        .collect(Collectors.joining("; "));
  }

  static List<Block> absences(List<Absence> absences) {
    List<Term> terms =
        absences.stream()
            .map(each -> new Term(each.configuration() + ", " + each.what(), each.reason()))
            .toList();
    return terms.isEmpty()
        ? List.of()
        : List.of(new Part(Kind.FIGURES, "Not measured", List.of(new Block.Items('-', terms))));
  }

  private static Part run(ExperimentReport section) {
    ExperimentResult experiment = section.experiment();
    List<Term> facts = new ArrayList<>();
    experiment.data().forEach((name, value) -> facts.add(new Term(name, Facts.text(value))));
    if (experiment.memoryBytes() > 0) {
      String limit = Units.bytes(experiment.memoryBytes()) + ", page cache included";
      facts.add(new Term("memory of each trial", limit));
    }
    Circumstances.cold(experiment)
        .forEach((phase, how) -> facts.add(new Term("cold phase " + phase, how)));
    String seeds =
        experiment.configurations().stream()
            .flatMap(each -> each.trials().stream())
            .map(trial -> Long.toString(trial.seed()))
            .distinct()
            .collect(Collectors.joining(", "));
    facts.add(new Term("seeds of the trials", seeds));
    List<Table.Row> rows = new ArrayList<>();
    for (ComparisonGroup group : section.groups()) {
      rows.addAll(
          Column.rows(
              SETUP,
              group.configurations(),
              own -> Table.Row.of(own.name(), Key.of(group.configurations(), own.name()))));
    }
    String caption = "Configurations, with the durability that was asked for and the one in force";
    Table table = Table.of(Table.Look.QUIET, caption, "configuration", Column.heads(SETUP), rows);
    return new Part(Kind.FIGURES, "What was run", List.of(new Terms(facts), table));
  }

  private static Column<ConfigurationResult> words(
      String head, Function<ConfigurationResult, String> text) {
    return new Column<>(
        Table.Head.words(head),
        own -> Table.Cell.of(text.apply(own).isEmpty() ? Table.MISSING : text.apply(own)));
  }

  private static String trials(ConfigurationResult own) {
    return own.skipped() == null
        ? Trials.good(own).size() + " of " + own.trials().size()
        : "skipped";
  }

  private static String options(ConfigurationResult own) {
    return own.options().entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining(", "));
  }

  private static List<Block> closing(Results results) {
    Machine machine = results.machine();
    List<Term> terms = new ArrayList<>();
    terms.add(new Term("Intervals", Circumstances.INTERVALS));
    terms.add(
        new Term(
            "Harness",
            results.audit() == null
                ? "Its cost was not measured in this run."
                : Circumstances.audit(results.audit())));
    terms.addAll(Course.time(results));
    results.findings().forEach(finding -> terms.add(term(finding)));
    return List.of(
        Block.on(
            Medium.PAGE,
            new Terms(
                List.of(
                    new Term("Processor", machine.cpu() + ", " + machine.cores() + " cores"),
                    new Term("Memory", Units.bytes(machine.memoryBytes())),
                    new Term("System", machine.system()),
                    new Term("Java", machine.java()),
                    new Term("File system", machine.fileSystem() + " on " + machine.device())))),
        new Terms(terms),
        new Terms(List.of(new Term("Run", Circumstances.run(results)))));
  }

  private static Term term(Finding finding) {
    String level = finding.level().name().toLowerCase(Locale.ROOT);
    return new Term(Words.sentence(level) + ", " + finding.subject(), finding.message());
  }
}

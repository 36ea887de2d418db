package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Kind;
import io.kvstadium.bench.report.Block.Part;
import io.kvstadium.bench.report.Block.Text;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table in the form in which measurements of an experiment's kind are usually published. It makes
 * no comparisons and shows no uncertainty; the rankings do that.
 *
 * @param title what it shows, with the unit if all columns have the same
 * @param note how its figures were obtained
 * @param heads of the columns, with their units
 * @param remarks notes on single figures, and why some are missing
 */
record PublishedTable(
    String title, String note, List<Table.Head> heads, List<Rows> blocks, List<String> remarks) {
  private static final String TITLE = "Simple table: ";

  private static final Map<String, Function<List<ExperimentResult>, List<PublishedTable>>> FORMS =
      Map.of(
          "crud", Forms::crud,
          "sweep", Forms::sweep,
          "open-read", Forms::openRead,
          "multiget", MultiGetForm::tables,
          "scale", Forms::scale);

  /**
   * The tables that experiments ask for by form; a sweep's points share theirs, under the first
   * point.
   *
   * @return the tables of each experiment; none for the later points of a sweep and for forms
   *     without tables
   */
  static List<List<PublishedTable>> of(List<ExperimentResult> experiments) {
    IdentityHashMap<ExperimentResult, List<PublishedTable>> tables = new IdentityHashMap<>();
    for (List<ExperimentResult> each : Sweep.together(experiments, ExperimentResult::point)) {
      tables.put(
          each.getFirst(),
          FORMS.getOrDefault(each.getFirst().tables(), _ -> List.of()).apply(each).stream()
              .filter(table -> !table.table().known().heads().isEmpty())
              .toList());
    }
    return experiments.stream().map(each -> tables.getOrDefault(each, List.of())).toList();
  }

  PublishedTable remarking(List<String> more) {
    List<String> all = new ArrayList<>(remarks);
    all.addAll(more);
    return new PublishedTable(title, note, heads, blocks, all);
  }

  Table table() {
    String caption = TITLE + title;
    return new Table(Table.Look.PUBLISHED, caption, "configuration", heads, blocks);
  }

  Block part() {
    String hint =
        " Other publications have tables of this form: it compares across groups and shows no"
            + " uncertainty.";
    return new Part(
        Kind.FIGURES,
        TITLE + title,
        List.of(table(), Text.aside(note + hint), Block.Items.of('–', remarks)));
  }

  /** The names of the phases with one of these operations, in the order of the operations. */
  static List<String> phases(List<ExperimentResult> experiments, List<String> operations) {
    Map<String, String> known = new LinkedHashMap<>();
    for (ExperimentResult experiment : experiments) {
      experiment.phases().forEach(name -> known.putIfAbsent(name, ""));
      for (ConfigurationResult configuration : experiment.configurations()) {
        for (TrialResult trial : configuration.trials()) {
          trial.phases().forEach(phase -> known.put(phase.name(), phase.operation()));
        }
      }
    }
    List<String> found = new ArrayList<>();
    for (String operation : operations) {
      known.forEach((name, own) -> found.addAll(own.equals(operation) ? List.of(name) : List.of()));
    }
    return found;
  }

  /**
   * A table with a row for each configuration.
   *
   * @param blocks heads of an experiment's blocks, each with what its rows are made from; {@code
   *     null} for no row
   */
  static <R> PublishedTable of(
      List<ExperimentResult> experiments,
      String title,
      String note,
      List<Column<R>> columns,
      Function<ExperimentResult, Map<String, Function<ConfigurationResult, @Nullable R>>> blocks) {
    List<Rows> rows = new ArrayList<>();
    for (ExperimentResult experiment : experiments) {
      blocks
          .apply(experiment)
          .forEach((head, made) -> {
            List<Table.Row> own = new ArrayList<>();
            for (ConfigurationResult each : experiment.configurations()) {
              R row = made.apply(each);
              if (row != null) {
                own.add(Column.row(columns, row, Table.Row.of(label(experiment, each))));
              }
            }
            rows.add(new Rows(Words.join(", ", head(experiment), head), own));
          });
    }
    return new PublishedTable(title, note, Column.heads(columns), rows, reasons(experiments));
  }

  /** The configuration's name, with its group if there are several. */
  static String label(ExperimentResult experiment, ConfigurationResult own) {
    boolean groups =
        experiment.configurations().stream().map(ConfigurationResult::group).distinct().count() > 1;
    boolean told = own.name().contains(own.durability()); // of a matrix
    return own.name()
        + ComparisonGroup.mark(own)
        + (groups && !told ? " (" + own.group() + ")" : "");
  }

  /** What distinguishes an experiment from the others of its sweep; empty if it belongs to none. */
  static String head(ExperimentResult experiment) {
    SweepPoint point = experiment.point();
    return point == null ? "" : Sweep.words(point) + " " + point.label();
  }

  /** What the marks mean, and why configurations without a figure have none; each reason once. */
  static List<String> reasons(List<ExperimentResult> experiments) {
    Set<String> reasons = new LinkedHashSet<>();
    for (ExperimentResult experiment : experiments) {
      for (ConfigurationResult own : experiment.configurations()) {
        String name = label(experiment, own);
        if (!ComparisonGroup.mark(own).isEmpty()) {
          reasons.add(name + ": " + ComparisonGroup.gives(own));
        }
        if (own.skipped() != null) {
          reasons.add(name + ": skipped: " + own.skipped());
        } else if (Trials.good(own).isEmpty()) {
          reasons.add(name + ": " + failure(own));
        }
      }
    }
    return List.copyOf(reasons);
  }

  private static String failure(ConfigurationResult own) {
    return own.trials().stream()
        .filter(trial -> trial.failure() != null)
        .map(trial -> "trial " + trial.number() + " failed: " + trial.failure())
        .findFirst()
        .orElse("no trial was finished");
  }
}

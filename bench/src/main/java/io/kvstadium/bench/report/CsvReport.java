package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.Samples.Times;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.bench.text.TextStyle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * All figures as comma-separated values (RFC 4180, lines ended by {@code \r\n}), for spreadsheets
 * and other programs: a line for each phase of each trial. What is unknown is empty; a trial or a
 * configuration without figures has one line that says why. {@code docs/results-schema.md}
 * describes the columns.
 */
public final class CsvReport {
  /** A column: its name, and its value in each line. */
  record Field<L>(String name, Function<L, @Nullable Object> value) {
    /** A column from a part that not every line has. */
    static <L, P> Field<L> of(
        String name, Function<L, @Nullable P> part, Function<P, @Nullable Object> value) {
      return new Field<>(
          name,
          line -> {
            P own = part.apply(line);
            return own == null ? null : value.apply(own);
          });
    }
  }

  /** What a line is made from; {@code null} where it does not apply. */
  private record Row(
      Results results,
      ExperimentResult experiment,
      ConfigurationResult configuration,
      @Nullable TrialResult trial,
      @Nullable PhaseResult phase,
      @Nullable Samples samples,
      @Nullable String absent) {
    Row absent(@Nullable TrialResult of, String why) {
      return new Row(results, experiment, configuration, of, null, null, why);
    }

    Row of(TrialResult own, PhaseResult part) {
      Samples samples = Samples.of(own, part);
      return new Row(results, experiment, configuration, own, part, samples, null);
    }
  }

  private CsvReport() {}

  /** The results as text, with a line of column names first. */
  public static String render(Results results) {
    List<Row> lines = new ArrayList<>();
    for (ExperimentResult experiment : results.experiments()) {
      for (ConfigurationResult configuration : experiment.configurations()) {
        Row all = new Row(results, experiment, configuration, null, null, null, null);
        if (configuration.skipped() != null) {
          lines.add(all.absent(null, "skipped: " + configuration.skipped()));
        }
        for (TrialResult trial : configuration.trials()) {
          if (trial.failure() == null) {
            trial.phases().forEach(phase -> lines.add(all.of(trial, phase)));
          } else {
            lines.add(all.absent(trial, "failed: " + trial.failure()));
          }
        }
      }
    }
    List<String> operations =
        lines.stream()
            .map(Row::samples)
            .filter(Objects::nonNull)
            .flatMap(samples -> samples.operations().stream())
            .distinct()
            .sorted()
            .toList();
    return print(fields(operations), lines);
  }

  /** A comparison as text. */
  public static String render(Comparison comparison) {
    return print(Comparison.FIELDS, comparison.lines());
  }

  private static <L> String print(List<Field<L>> fields, List<L> lines) {
    StringBuilder text = new StringBuilder();
    try (CSVPrinter out = new CSVPrinter(text, CSVFormat.RFC4180)) {
      out.printRecord(fields.stream().map(Field::name));
      for (L line : lines) {
        List<@Nullable Object> values = new ArrayList<>();
        fields.forEach(field -> values.add(field.value().apply(line)));
        out.printRecord(values);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString();
  }

  private static List<Field<Row>> fields(List<String> operations) {
    List<Field<Row>> all = new ArrayList<>();
    all.add(new Field<>("suite", line -> line.results.suite()));
    all.add(new Field<>("experiment", line -> line.experiment.name()));
    all.add(Field.of("sweep", line -> line.experiment.plan().point(), SweepPoint::sweep));
    all.add(Field.of("parameter", line -> line.experiment.plan().point(), SweepPoint::parameter));
    all.add(Field.of("value", line -> line.experiment.plan().point(), SweepPoint::value));
    all.add(new Field<>("configuration", line -> line.configuration.name()));
    all.add(new Field<>("engine", line -> line.configuration.plan().engine()));
    all.add(new Field<>("version", line -> line.configuration.version()));
    all.add(new Field<>("group", line -> line.configuration.plan().group()));
    all.add(new Field<>("durability", line -> line.configuration.plan().durability().word()));
    all.add(new Field<>("effective", line -> line.configuration.effective().word()));
    all.add(Field.of("trial", Row::trial, TrialResult::number));
    all.add(Field.of("seed", Row::trial, TrialResult::seed));
    all.add(Field.of("absent", Row::absent, TextStyle::clean));
    all.add(Field.of("phase", Row::phase, PhaseResult::name));
    all.add(Field.of("operation", Row::phase, PhaseResult::operation));
    Figures.ALL.forEach(figure -> all.add(Field.of(figure.name(), Row::samples, figure::raw)));
    for (String operation : operations) {
      Function<Row, @Nullable Samples> only =
          row -> row.samples == null ? null : row.samples.only(operation);
      Figures.of(Times.CALLER)
          .forEach(figure -> all.add(Field.of(operation + "_" + figure.name(), only, figure::raw)));
    }
    return all;
  }
}

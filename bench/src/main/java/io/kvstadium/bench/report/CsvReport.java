package io.kvstadium.bench.report;

import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
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
  private record Field<L>(String name, Function<L, @Nullable Object> value) {}

  /** What a line is made from; {@code null} where it does not apply. */
  private record Row(
      Results results,
      ExperimentResult experiment,
      ConfigurationResult configuration,
      @Nullable TrialResult trial,
      @Nullable PhaseResult phase,
      @Nullable Latencies service,
      @Nullable Latencies response,
      @Nullable Latencies lateness,
      @Nullable String absent) {
    static Row absent(Row of, @Nullable TrialResult trial, String why) {
      return new Row(
          of.results, of.experiment, of.configuration, trial, null, null, null, null, why);
    }
  }

  private static final List<Field<Row>> FIELDS = fields();

  private static final List<Field<Comparisons.Row>> COMPARISON =
      List.of(
          new Field<>("experiment", Comparisons.Row::experiment),
          new Field<>("configuration", Comparisons.Row::configuration),
          new Field<>("phase", Comparisons.Row::phase),
          new Field<>("run", Comparisons.Row::run),
          new Field<>("trials", Comparisons.Row::trials),
          new Field<>("ops_per_second", Comparisons.Row::opsPerSecond),
          new Field<>("low", Comparisons.Row::low),
          new Field<>("high", Comparisons.Row::high),
          new Field<>("verdict", Comparisons.Row::verdict),
          new Field<>("paired", Comparisons.Row::paired),
          new Field<>("factor", Comparisons.Row::factor),
          new Field<>("factor_low", Comparisons.Row::factorLow),
          new Field<>("factor_high", Comparisons.Row::factorHigh));

  private CsvReport() {}

  /** The results as text, with a line of column names first. */
  public static String render(Results results) {
    List<Row> lines = new ArrayList<>();
    for (ExperimentResult experiment : results.experiments()) {
      for (ConfigurationResult configuration : experiment.configurations()) {
        Row all = new Row(results, experiment, configuration, null, null, null, null, null, null);
        if (configuration.skipped() != null) {
          lines.add(Row.absent(all, null, "skipped: " + configuration.skipped()));
        }
        List<TrialResult> good = Trials.good(configuration);
        for (TrialResult trial : configuration.trials()) {
          if (good.contains(trial)) {
            trial.phases().forEach(phase -> lines.add(line(all, trial, phase)));
          } else {
            String why = trial.failure() == null ? "reads found nothing" : trial.failure();
            lines.add(Row.absent(all, trial, "failed: " + why));
          }
        }
      }
    }
    return print(FIELDS, lines);
  }

  private static Row line(Row all, TrialResult trial, PhaseResult phase) {
    Pace pace = phase.pace();
    return new Row(
        all.results,
        all.experiment,
        all.configuration,
        trial,
        phase,
        merged(phase.histogram(), phase.batch()),
        merged(pace == null ? null : pace.response(), 1),
        merged(pace == null ? null : pace.lateness(), 1),
        null);
  }

  private static @Nullable Latencies merged(@Nullable String histogram, int batch) {
    return histogram == null ? null : Latencies.merge(List.of(histogram), batch);
  }

  /** A comparison as text. */
  public static String render(Comparisons comparisons) {
    return print(COMPARISON, comparisons.rows());
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

  private static List<Field<Row>> fields() {
    List<Field<Row>> all = new ArrayList<>();
    all.add(new Field<>("suite", line -> line.results.suite()));
    all.add(new Field<>("experiment", line -> line.experiment.name()));
    all.add(of("sweep", line -> line.experiment.point(), SweepPoint::sweep));
    all.add(of("parameter", line -> line.experiment.point(), SweepPoint::parameter));
    all.add(of("value", line -> line.experiment.point(), SweepPoint::value));
    all.add(new Field<>("configuration", line -> line.configuration.name()));
    all.add(new Field<>("engine", line -> line.configuration.engine()));
    all.add(new Field<>("version", line -> line.configuration.version()));
    all.add(new Field<>("group", line -> line.configuration.group()));
    all.add(new Field<>("durability", line -> line.configuration.durability()));
    all.add(new Field<>("effective", line -> line.configuration.effective()));
    all.add(of("trial", Row::trial, TrialResult::number));
    all.add(of("seed", Row::trial, TrialResult::seed));
    all.add(of("absent", Row::absent, Ink::clean));
    all.add(of("phase", Row::phase, PhaseResult::name));
    all.add(of("operation", Row::phase, PhaseResult::operation));
    all.add(of("operations", Row::phase, PhaseResult::operations));
    all.add(of("nanos", Row::phase, PhaseResult::nanos));
    all.add(of("threads", Row::phase, PhaseResult::threads));
    all.add(of("entries", Row::phase, PhaseResult::entries));
    all.add(of("bytes", Row::phase, PhaseResult::bytes));
    all.add(of("batch", Row::phase, PhaseResult::batch));
    all.add(
        of(
            "ops_per_second",
            Row::phase,
            own -> own.operations() > 0 && own.nanos() > 0 ? own.rate() : null));
    all.add(known("cpu_nanos", Row::phase, own -> own.cost().cpuNanos()));
    all.add(known("gc_nanos", Row::phase, own -> own.cost().gcNanos()));
    all.add(known("allocated_bytes", Row::phase, own -> own.cost().allocatedBytes()));
    all.add(known("read_bytes", Row::phase, own -> own.cost().readBytes()));
    Function<Row, @Nullable Pace> pace = line -> line.phase == null ? null : line.phase.pace();
    all.add(of("asked_rate", pace, Pace::rate));
    all.add(of("arrivals", pace, Pace::arrivals));
    all.add(of("held", pace, Pace::held));
    Function<Row, @Nullable Caches> caches =
        line -> line.phase == null ? null : line.phase.caches();
    all.add(of("dropped", caches, Caches::dropped));
    all.add(of("resident", caches, own -> own.resident() < 0 ? null : own.resident()));
    times(all, "service_", Row::service);
    times(all, "response_", Row::response);
    times(all, "lateness_", Row::lateness);
    Function<Row, @Nullable CostCard> card =
        line -> line.phase == null || line.trial == null ? null : line.trial.card();
    all.add(known("disk_bytes", card, own -> own.sizes().diskBytes()));
    all.add(known("live_bytes", card, own -> own.sizes().liveBytes()));
    all.add(known("settled_disk_bytes", card, own -> own.sizes().settledDiskBytes()));
    all.add(known("settled_live_bytes", card, own -> own.sizes().settledLiveBytes()));
    all.add(known("settle_nanos", card, own -> own.settling().settleNanos()));
    all.add(
        of(
            "settled",
            card,
            own -> own.settling().settleNanos() >= 0 ? own.settling().settled() : null));
    all.add(known("anonymous_bytes", card, own -> own.memory().anonymousBytes()));
    all.add(known("file_bytes", card, own -> own.memory().fileBytes()));
    all.add(known("peak_bytes", card, own -> own.memory().peakBytes()));
    all.add(known("device_read_bytes", card, own -> own.traffic().readBytes()));
    all.add(known("device_written_bytes", card, own -> own.traffic().writtenBytes()));
    all.add(known("moved_bytes", card, own -> own.traffic().movedBytes()));
    all.add(known("open_after_kill_nanos", card, own -> own.kill().openAfterKillNanos()));
    return List.copyOf(all);
  }

  /** A percentile that the samples do not carry stays empty; of batches there is the mean only. */
  private static void times(
      List<Field<Row>> all, String prefix, Function<Row, @Nullable Latencies> times) {
    BiFunction<String, Function<Latencies, @Nullable Object>, Field<Row>> field =
        (name, figure) -> of(prefix + name, times, figure);
    all.add(field.apply("samples", Latencies::samples));
    all.add(field.apply("min", own -> own.single() ? own.minNanos() : null));
    all.add(field.apply("mean", Latencies::meanPerOperation));
    for (double level : Latencies.LONG_TABLE) {
      all.add(field.apply(Units.level(level).replace(".", ""), own -> own.at(level)));
    }
    all.add(field.apply("max", own -> own.single() ? own.maxNanos() : null));
  }

  private static <P> Field<Row> of(
      String name, Function<Row, @Nullable P> part, Function<P, @Nullable Object> value) {
    return new Field<>(
        name,
        line -> {
          P own = part.apply(line);
          return own == null ? null : value.apply(own);
        });
  }

  /** A count that is below 0 if it is unknown. */
  private static <P> Field<Row> known(
      String name, Function<Row, @Nullable P> part, ToLongFunction<P> value) {
    return of(
        name,
        part,
        own -> {
          long count = value.applyAsLong(own);
          return count < 0 ? null : count;
        });
  }
}

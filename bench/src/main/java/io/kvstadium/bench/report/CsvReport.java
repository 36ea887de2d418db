package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Throughput;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.suite.SweepPoint;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
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

    /** A column with a count that is below 0 if it is unknown. */
    static <L, P> Field<L> known(
        String name, Function<L, @Nullable P> part, ToLongFunction<P> value) {
      return of(name, part, own -> value.applyAsLong(own) < 0 ? null : value.applyAsLong(own));
    }

    /** The name as it is written in JSON: {@code opsPerSecond}. */
    String camel() {
      return Pattern.compile("_(.)")
          .matcher(name)
          .replaceAll(m -> m.group(1).toUpperCase(Locale.ROOT));
    }
  }

  /** What a line is made from; {@code null} where it does not apply. */
  private record Row(
      Results results,
      ExperimentResult experiment,
      ConfigurationResult configuration,
      @Nullable TrialResult trial,
      @Nullable PhaseResult phase,
      @Nullable String absent,
      @Nullable Latencies service,
      @Nullable Latencies response,
      @Nullable Latencies lateness) {
    static Row of(Row of, TrialResult trial, PhaseResult phase) {
      OpenLoop openLoop = phase.openLoop();
      return new Row(
          of.results,
          of.experiment,
          of.configuration,
          trial,
          phase,
          null,
          merged(phase.histogram(), phase.batch()),
          merged(openLoop == null ? null : openLoop.response(), 1),
          merged(openLoop == null ? null : openLoop.lateness(), 1));
    }

    Row absent(@Nullable TrialResult of, String why) {
      return new Row(results, experiment, configuration, of, null, why, null, null, null);
    }

    @Nullable OpenLoop openLoop() {
      return phase == null ? null : phase.openLoop();
    }

    @Nullable Cost cost() {
      return phase == null ? null : phase.cost();
    }

    @Nullable CostCard card() {
      return phase == null || trial == null ? null : trial.card();
    }
  }

  private static final List<Field<Row>> FIELDS = fields();

  private CsvReport() {}

  /** The results as text, with a line of column names first. */
  public static String render(Results results) {
    List<Row> lines = new ArrayList<>();
    for (ExperimentResult experiment : results.experiments()) {
      for (ConfigurationResult configuration : experiment.configurations()) {
        Row all = new Row(results, experiment, configuration, null, null, null, null, null, null);
        if (configuration.skipped() != null) {
          lines.add(all.absent(null, "skipped: " + configuration.skipped()));
        }
        for (TrialResult trial : configuration.trials()) {
          if (trial.failure() == null) {
            trial.phases().forEach(phase -> lines.add(Row.of(all, trial, phase)));
          } else {
            lines.add(all.absent(trial, "failed: " + trial.failure()));
          }
        }
      }
    }
    return print(FIELDS, lines);
  }

  private static @Nullable Object busyShare(PhaseResult phase) {
    double share = Throughput.busyShare(phase);
    return share < 0 ? null : share;
  }

  private static @Nullable Latencies merged(@Nullable String histogram, int batch) {
    return histogram == null ? null : Latencies.merge(List.of(histogram), batch);
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

  private static List<Field<Row>> fields() {
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
    all.add(Field.of("operations", Row::phase, PhaseResult::operations));
    all.add(Field.of("nanos", Row::phase, PhaseResult::nanos));
    all.add(Field.of("threads", Row::phase, PhaseResult::threads));
    all.add(Field.of("entries", Row::phase, PhaseResult::entries));
    all.add(Field.of("bytes", Row::phase, PhaseResult::bytes));
    all.add(Field.of("batch", Row::phase, PhaseResult::batch));
    all.add(Field.of("ops_per_second", Row::phase, CsvReport::rate));
    all.add(Field.known("cpu_nanos", Row::cost, Cost::cpuNanos));
    all.add(Field.known("gc_nanos", Row::cost, Cost::gcNanos));
    all.add(Field.known("compile_nanos", Row::cost, Cost::compileNanos));
    all.add(Field.known("allocated_bytes", Row::cost, Cost::allocatedBytes));
    all.add(Field.known("read_bytes", Row::cost, Cost::readBytes));
    all.add(Field.known("flushes", Row::cost, Cost::flushes));
    all.add(Field.of("busy_share", Row::phase, CsvReport::busyShare));
    all.add(Field.of("asked_rate", Row::openLoop, OpenLoop::rate));
    all.add(Field.of("held", Row::openLoop, OpenLoop::held));
    all.add(Field.of("diverged", Row::phase, CsvReport::diverged));
    times(all, "service_", Row::service);
    times(all, "response_", Row::response);
    times(all, "lateness_", Row::lateness);
    all.add(Field.known("disk_bytes", Row::card, card -> card.sizes().diskBytes()));
    all.add(Field.known("live_bytes", Row::card, card -> card.sizes().liveBytes()));
    all.add(Field.known("settled_disk_bytes", Row::card, card -> card.sizes().settledDiskBytes()));
    all.add(Field.known("settled_live_bytes", Row::card, card -> card.sizes().settledLiveBytes()));
    all.add(Field.known("settle_nanos", Row::card, card -> card.settling().settleNanos()));
    all.add(Field.of("settled", Row::card, CsvReport::settled));
    all.add(Field.known("anonymous_bytes", Row::card, card -> card.memory().anonymousBytes()));
    all.add(Field.known("file_bytes", Row::card, card -> card.memory().fileBytes()));
    all.add(Field.known("peak_bytes", Row::card, card -> card.memory().peakBytes()));
    all.add(Field.known("device_read_bytes", Row::card, card -> card.traffic().readBytes()));
    all.add(Field.known("device_written_bytes", Row::card, card -> card.traffic().writtenBytes()));
    all.add(Field.known("moved_bytes", Row::card, card -> card.traffic().movedBytes()));
    return List.copyOf(all);
  }

  private static @Nullable Boolean settled(CostCard own) {
    return own.settling().settleNanos() < 0 ? null : own.settling().settled();
  }

  private static @Nullable Double rate(PhaseResult own) {
    return own.operations() > 0 && own.nanos() > 0 ? own.rate() : null;
  }

  private static @Nullable Double diverged(PhaseResult own) {
    Divergence divergence = own.divergence();
    return divergence == null ? null : divergence.share();
  }

  /** A percentile without enough samples stays empty; for batches there is only the mean. */
  private static void times(
      List<Field<Row>> all, String prefix, Function<Row, @Nullable Latencies> times) {
    BiConsumer<String, Function<Latencies, @Nullable Object>> add =
        (name, figure) -> all.add(Field.of(prefix + name, times, figure));
    add.accept("samples", Latencies::samples);
    add.accept("min", own -> own.single() ? own.minNanos() : null);
    add.accept("mean", Latencies::meanPerOperation);
    for (double level : Latencies.TABLE) {
      add.accept(Units.level(level).replace(".", ""), own -> own.at(level));
    }
    add.accept("max", own -> own.single() ? own.maxNanos() : null);
  }
}

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
import java.util.Arrays;
import java.util.List;
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
  private static final List<String> SUBJECT =
      List.of(
          "suite",
          "experiment",
          "sweep",
          "parameter",
          "value",
          "configuration",
          "engine",
          "version",
          "group",
          "durability",
          "effective",
          "trial",
          "seed",
          "absent");

  private static final List<String> PHASE =
      List.of(
          "phase",
          "operation",
          "operations",
          "nanos",
          "threads",
          "entries",
          "bytes",
          "errors",
          "batch",
          "ops_per_second",
          "cpu_nanos",
          "gc_nanos",
          "allocated_bytes",
          "read_bytes",
          "asked_rate",
          "arrivals",
          "held",
          "dropped",
          "resident");

  /** Of service times, of response times, and of the pacer's lateness. */
  private static final List<String> TIMES = List.of("service", "response", "lateness");

  private static final List<String> TIME =
      List.of("samples", "min", "mean", "p50", "p95", "p99", "p999", "p9999", "max");

  private static final List<String> CARD =
      List.of(
          "disk_bytes",
          "live_bytes",
          "settled_disk_bytes",
          "settled_live_bytes",
          "settle_nanos",
          "settled",
          "anonymous_bytes",
          "file_bytes",
          "peak_bytes",
          "device_read_bytes",
          "device_written_bytes",
          "moved_bytes",
          "open_after_kill_nanos");

  private final CSVPrinter out;

  private CsvReport(CSVPrinter out) {
    this.out = out;
  }

  /** The results as text, with a line of column names first. */
  public static String render(Results results) {
    return print(out -> new CsvReport(out).write(results));
  }

  /** A comparison as text: the columns are the components of {@link Comparisons.Row}. */
  public static String render(Comparisons comparisons) {
    return print(out -> {
      out.printRecord(
          "experiment",
          "configuration",
          "phase",
          "run",
          "trials",
          "ops_per_second",
          "low",
          "high",
          "verdict",
          "paired",
          "factor",
          "factor_low",
          "factor_high");
      for (Comparisons.Row row : comparisons.rows()) {
        out.printRecord(
            row.experiment(),
            row.configuration(),
            row.phase(),
            row.run(),
            row.trials(),
            row.opsPerSecond(),
            row.low(),
            row.high(),
            row.verdict(),
            row.paired(),
            row.factor(),
            row.factorLow(),
            row.factorHigh());
      }
    });
  }

  private interface Writing {
    void to(CSVPrinter out) throws IOException;
  }

  private static String print(Writing writing) {
    StringBuilder text = new StringBuilder();
    try (CSVPrinter out = new CSVPrinter(text, CSVFormat.RFC4180)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString();
  }

  private void write(Results results) throws IOException {
    List<String> head = new ArrayList<>(SUBJECT);
    head.addAll(PHASE);
    TIMES.forEach(time -> TIME.forEach(figure -> head.add(time + "_" + figure)));
    head.addAll(CARD);
    out.printRecord(head);
    for (ExperimentResult experiment : results.experiments()) {
      for (ConfigurationResult configuration : experiment.configurations()) {
        List<@Nullable Object> subject = subject(results, experiment, configuration);
        if (configuration.skipped() != null) {
          absent(subject, null, "skipped: " + configuration.skipped());
        }
        List<TrialResult> good = Trials.good(configuration);
        for (TrialResult trial : configuration.trials()) {
          if (good.contains(trial)) {
            for (PhaseResult phase : trial.phases()) {
              phase(subject, trial, phase);
            }
          } else {
            String why = trial.failure() == null ? "reads found nothing" : trial.failure();
            absent(subject, trial, "failed: " + why);
          }
        }
      }
    }
  }

  private static List<@Nullable Object> subject(
      Results results, ExperimentResult experiment, ConfigurationResult configuration) {
    SweepPoint point = experiment.point();
    List<@Nullable Object> subject = new ArrayList<>();
    subject.add(results.suite());
    subject.add(experiment.name());
    subject.add(point == null ? null : point.sweep());
    subject.add(point == null ? null : point.parameter());
    subject.add(point == null ? null : point.value());
    subject.add(configuration.name());
    subject.add(configuration.engine());
    subject.add(configuration.version());
    subject.add(configuration.group());
    subject.add(configuration.durability());
    subject.add(configuration.effective());
    return subject;
  }

  private void absent(List<@Nullable Object> subject, @Nullable TrialResult trial, String why)
      throws IOException {
    List<@Nullable Object> line = new ArrayList<>(subject);
    line.add(trial == null ? null : trial.number());
    line.add(trial == null ? null : trial.seed());
    line.add(Ink.clean(why));
    int rest = PHASE.size() + TIMES.size() * TIME.size() + CARD.size();
    for (int i = 0; i < rest; i++) {
      line.add(null);
    }
    out.printRecord(line);
  }

  private void phase(List<@Nullable Object> subject, TrialResult trial, PhaseResult phase)
      throws IOException {
    List<@Nullable Object> line = new ArrayList<>(subject);
    line.add(trial.number());
    line.add(trial.seed());
    line.add(null);
    Pace pace = phase.pace();
    Caches caches = phase.caches();
    boolean timed = phase.operations() > 0 && phase.nanos() > 0;
    line.addAll(
        Arrays.asList(
            phase.name(),
            phase.operation(),
            phase.operations(),
            phase.nanos(),
            phase.threads(),
            phase.entries(),
            phase.bytes(),
            phase.errors(),
            phase.batch(),
            timed ? phase.rate() : null,
            known(phase.cost().cpuNanos()),
            known(phase.cost().gcNanos()),
            known(phase.cost().allocatedBytes()),
            known(phase.cost().readBytes()),
            pace == null ? null : pace.rate(),
            pace == null ? null : pace.arrivals(),
            pace == null ? null : pace.held(),
            caches == null ? null : caches.dropped(),
            caches == null || caches.resident() < 0 ? null : caches.resident()));
    times(line, phase.histogram(), phase.batch());
    times(line, pace == null ? null : pace.response(), 1);
    times(line, pace == null ? null : pace.lateness(), 1);
    card(line, trial.card());
    out.printRecord(line);
  }

  /** A percentile that the samples do not carry stays empty; of batches there is the mean only. */
  private static void times(List<@Nullable Object> line, @Nullable String histogram, int batch) {
    Latencies times = histogram == null ? null : Latencies.merge(List.of(histogram), batch);
    if (times == null) {
      TIME.forEach(_ -> line.add(null));
      return;
    }
    line.add(times.samples());
    line.add(times.single() ? times.minNanos() : null);
    line.add(times.meanPerOperation());
    for (double level : Latencies.LONG_TABLE) {
      line.add(times.at(level));
    }
    line.add(times.single() ? times.maxNanos() : null);
  }

  private static void card(List<@Nullable Object> line, CostCard card) {
    boolean settling = card.settleNanos() >= 0;
    line.addAll(
        Arrays.asList(
            known(card.diskBytes()),
            known(card.liveBytes()),
            known(card.settledDiskBytes()),
            known(card.settledLiveBytes()),
            known(card.settleNanos()),
            settling ? card.settled() : null,
            known(card.anonymousBytes()),
            known(card.fileBytes()),
            known(card.peakBytes()),
            known(card.readBytes()),
            known(card.writtenBytes()),
            known(card.movedBytes()),
            known(card.openAfterKillNanos())));
  }

  private static @Nullable Long known(long figure) {
    return figure < 0 ? null : figure;
  }
}

package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A large store under load: filling, reading with the tail of its latencies, updating, and what
 * opening, memory and disk cost. One table for each, for no terminal is wide enough for all.
 */
final class ScaleForm {
  private static final List<String> READS = List.of("get", "lend");
  private static final List<Double> PERCENTILES = List.of(0.95, 0.99, 0.999, 0.9999);

  private final List<ExperimentResult> experiments;
  private final List<PublishedTable> tables = new ArrayList<>();

  private ScaleForm(List<ExperimentResult> experiments) {
    this.experiments = experiments;
  }

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    ScaleForm form = new ScaleForm(experiments);
    form.byPhase(
        "filling",
        "Medians over trials; MB are 1,000,000 bytes of keys and values.",
        List.of("insert", "load"),
        List.of("seconds", "records/s", "MB/s"),
        ScaleForm::fill);
    form.byPhase(
        "reads, and their latency in ns",
        "The rate is a median over trials, the latencies are those of all trials together. A"
            + " percentile is stated only if 10 samples lie beyond it.",
        READS,
        List.of("reads/s", "mean", "p95", "p99", "p99.9", "p99.99", "max"),
        ScaleForm::read);
    form.byPhase(
        "updates",
        "Medians over trials. asked: the rate at which they were to start; held: in how many"
            + " trials the store kept up.",
        List.of("update", "read-modify-write"),
        List.of("updates/s", "MB/s", "asked/s", "held"),
        ScaleForm::update);
    form.costs();
    return List.copyOf(form.tables);
  }

  private void byPhase(
      String title,
      String note,
      List<String> operations,
      List<String> columns,
      BiFunction<ConfigurationResult, String, List<String>> cells) {
    List<String> phases = FormFigures.phases(experiments, operations);
    List<Rows> blocks = new ArrayList<>();
    Set<String> remarks = new LinkedHashSet<>(FormFigures.reasons(experiments));
    for (ExperimentResult experiment : experiments) {
      for (String phase : phases) {
        blocks.add(
            block(
                experiment,
                Words.join(", ", FormFigures.head(experiment), phase),
                each -> cells.apply(each, phase)));
        remarks.addAll(grouped(experiment, phase));
        remarks.addAll(paced(experiment, phase));
      }
    }
    tables.add(
        new PublishedTable(title, note, "configuration", columns, blocks, List.copyOf(remarks)));
  }

  private void costs() {
    List<Rows> blocks = new ArrayList<>();
    for (ExperimentResult experiment : experiments) {
      blocks.add(block(experiment, FormFigures.head(experiment), ScaleForm::cost));
    }
    tables.add(
        new PublishedTable(
            "opening, memory and size",
            "Medians over trials. Killed is how long opening took after the process had been killed"
                + " at the end of its writes; memory is the most that was seen; disk is of allocated"
                + " blocks.",
            "configuration",
            List.of("open ms", "killed ms", "close ms", "anonymous", "file", "disk"),
            blocks,
            FormFigures.reasons(experiments)));
  }

  private static Rows block(
      ExperimentResult experiment, String head, Function<ConfigurationResult, List<String>> cells) {
    return new Rows(
        head,
        experiment.configurations().stream()
            .map(each -> Row.of(FormFigures.label(experiment, each), cells.apply(each)))
            .toList());
  }

  private static List<String> fill(ConfigurationResult configuration, String phase) {
    return List.of(
        FormFigures.number(FormFigures.median(configuration, phase, each -> each.nanos() / 1e9)),
        FormFigures.number(FormFigures.median(configuration, phase, FormFigures::entriesPerSecond)),
        FormFigures.number(FormFigures.median(configuration, phase, FormFigures::megabytes)));
  }

  private static List<String> read(ConfigurationResult configuration, String phase) {
    List<String> cells = new ArrayList<>();
    cells.add(FormFigures.number(FormFigures.median(configuration, phase, PhaseResult::rate)));
    Latencies latencies = FormFigures.latencies(configuration, phase);
    double mean = latencies == null ? Double.NaN : latencies.meanPerOperation();
    cells.add(FormFigures.number(mean));
    boolean single = latencies != null && latencies.single();
    for (double level : PERCENTILES) {
      Long nanos = single ? Objects.requireNonNull(latencies).at(level) : null;
      cells.add(nanos == null ? Table.MISSING : FormFigures.number((double) nanos));
    }
    cells.add(
        single
            ? FormFigures.number((double) Objects.requireNonNull(latencies).maxNanos())
            : Table.MISSING);
    return cells;
  }

  /** Says of which reads only the mean is known, since several shared a reading of the clock. */
  private static List<String> grouped(ExperimentResult experiment, String phase) {
    List<String> remarks = new ArrayList<>();
    for (ConfigurationResult each : experiment.configurations()) {
      Latencies latencies = FormFigures.latencies(each, phase);
      boolean read =
          Trials.of(each, phase).phases().stream().anyMatch(one -> READS.contains(one.operation()));
      if (read && latencies != null && latencies.batch() > 1) {
        remarks.add(
            FormFigures.label(experiment, each)
                + ", "
                + Words.join(", ", FormFigures.head(experiment), phase)
                + ": "
                + latencies.batch()
                + " reads shared a reading of the clock, so that only their mean is known");
      }
    }
    return remarks;
  }

  /** Says of which reads the latencies leave out the wait for their turn. */
  private static List<String> paced(ExperimentResult experiment, String phase) {
    boolean paced =
        experiment.configurations().stream()
            .flatMap(each -> Trials.of(each, phase).phases().stream())
            .anyMatch(one -> READS.contains(one.operation()) && one.pace() != null);
    return paced
        ? List.of(
            Words.join(", ", FormFigures.head(experiment), phase)
                + ": reads started at a fixed rate; these latencies are service times, without the"
                + " wait for the reads before")
        : List.of();
  }

  private static List<String> update(ConfigurationResult configuration, String phase) {
    List<PhaseResult> phases = Trials.of(configuration, phase).phases();
    List<Pace> paces = phases.stream().map(PhaseResult::pace).filter(Objects::nonNull).toList();
    long held = paces.stream().filter(Pace::held).count();
    return List.of(
        FormFigures.number(FormFigures.median(configuration, phase, PhaseResult::rate)),
        FormFigures.number(FormFigures.median(configuration, phase, FormFigures::megabytes)),
        FormFigures.number(Median.ofKnown(paces.stream().mapToDouble(Pace::rate))),
        paces.isEmpty() ? Table.MISSING : held + " of " + paces.size());
  }

  private static List<String> cost(ConfigurationResult configuration) {
    return List.of(
        FormFigures.millis(
            FormFigures.median(configuration, "open", phase -> (double) phase.nanos())),
        FormFigures.millis(
            FormFigures.median(configuration, card -> (double) card.openAfterKillNanos())),
        FormFigures.millis(
            FormFigures.median(configuration, "close", phase -> (double) phase.nanos())),
        FormFigures.bytes(
            FormFigures.median(configuration, card -> (double) card.anonymousBytes())),
        FormFigures.bytes(FormFigures.median(configuration, card -> (double) card.fileBytes())),
        FormFigures.bytes(FormFigures.median(configuration, CostCard::restingBytes)));
  }
}

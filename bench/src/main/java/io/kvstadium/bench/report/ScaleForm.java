package io.kvstadium.bench.report;

import io.kvstadium.bench.report.FormFigures.Of;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A large store under load: filling, reading with the tail of its latencies, updating, and what
 * opening, memory and disk cost. One table for each, for no terminal is wide enough for all.
 */
final class ScaleForm {
  private static final List<String> READS = List.of("get", "lend");

  private static final List<Column<Of>> FILL =
      List.of(
          Column.of("seconds", own -> own.median(each -> each.nanos() / 1e9)),
          Column.of("records/s", own -> own.median(FormFigures::entriesPerSecond)),
          Column.of("MB/s", own -> own.median(FormFigures::megabytes)));

  private static final List<Column<Of>> READ =
      List.of(
          Column.of("reads/s", own -> own.median(PhaseResult::rate)),
          Column.of("mean", ScaleForm::mean),
          Column.of("p95", own -> own.latency(each -> each.at(0.95))),
          Column.of("p99", own -> own.latency(each -> each.at(0.99))),
          Column.of("p99.9", own -> own.latency(each -> each.at(0.999))),
          Column.of("p99.99", own -> own.latency(each -> each.at(0.9999))),
          Column.of("max", own -> own.latency(Latencies::maxNanos)));

  private static final List<Column<Of>> UPDATE =
      List.of(
          Column.of("updates/s", own -> own.median(PhaseResult::rate)),
          Column.of("MB/s", own -> own.median(FormFigures::megabytes)),
          Column.of("asked/s", ScaleForm::asked),
          Column.of("held", ScaleForm::held));

  private static final List<Column<ConfigurationResult>> COSTS =
      List.of(
          Column.of("open ms", own -> new Of(own, "open").median(FormFigures::millis)),
          Column.of(
              "killed ms",
              own ->
                  FormFigures.millis(
                      FormFigures.median(own, card -> (double) card.kill().openAfterKillNanos()))),
          Column.of("close ms", own -> new Of(own, "close").median(FormFigures::millis)),
          Column.of(
              "anonymous",
              own ->
                  CostColumns.bytes(
                      FormFigures.median(own, card -> card.memory().anonymousBytes()))),
          Column.of(
              "file",
              own -> CostColumns.bytes(FormFigures.median(own, card -> card.memory().fileBytes()))),
          Column.of(
              "disk",
              own -> CostColumns.bytes(FormFigures.median(own, card -> card.sizes().resting()))));

  private ScaleForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    return List.of(
        byPhase(
            experiments,
            "filling",
            "Medians over trials; MB are 1,000,000 bytes of keys and values.",
            List.of("insert", "load"),
            FILL),
        byPhase(
            experiments,
            "reads, and their latency in ns",
            "The rate is a median over trials, the latencies are those of all trials together. A"
                + " percentile is stated only if 10 samples lie beyond it.",
            READS,
            READ),
        byPhase(
            experiments,
            "updates",
            "Medians over trials. asked: the rate at which they were to start; held: in how many"
                + " trials the store kept up.",
            List.of("update", "read-modify-write"),
            UPDATE),
        PublishedTable.of(
            "opening, memory and size",
            "Medians over trials. Killed is how long opening took after the process had been killed"
                + " at the end of its writes; memory is the most that was seen; disk is of allocated"
                + " blocks.",
            COSTS,
            experiments.stream()
                .map(each -> FormFigures.rows(each, FormFigures.head(each), COSTS, own -> own))
                .toList(),
            FormFigures.reasons(experiments)));
  }

  private static PublishedTable byPhase(
      List<ExperimentResult> experiments,
      String title,
      String note,
      List<String> operations,
      List<Column<Of>> columns) {
    List<Rows> blocks = new ArrayList<>();
    Set<String> remarks = new LinkedHashSet<>(FormFigures.reasons(experiments));
    for (ExperimentResult experiment : experiments) {
      for (String phase : FormFigures.phases(experiments, operations)) {
        String head = Words.join(", ", FormFigures.head(experiment), phase);
        blocks.add(FormFigures.rows(experiment, head, columns, each -> new Of(each, phase)));
        if (operations.equals(READS)) {
          remarks.addAll(remarks(experiment, phase, head));
        }
      }
    }
    return PublishedTable.of(title, note, columns, blocks, List.copyOf(remarks));
  }

  private static String mean(Of own) {
    Latencies latencies = own.latencies();
    return FormFigures.number(latencies == null ? Double.NaN : latencies.meanPerOperation());
  }

  private static List<Pace> paces(Of own) {
    return own.phases().stream().map(PhaseResult::pace).filter(Objects::nonNull).toList();
  }

  private static String asked(Of own) {
    return FormFigures.number(Median.ofKnown(paces(own).stream().mapToDouble(Pace::rate)));
  }

  private static String held(Of own) {
    List<Pace> paces = paces(own);
    return paces.isEmpty()
        ? Table.MISSING
        : paces.stream().filter(Pace::held).count() + " of " + paces.size();
  }

  /**
   * Says of which reads only the mean is known, and of which the wait for their turn is left out.
   */
  private static List<String> remarks(ExperimentResult experiment, String phase, String head) {
    List<String> remarks = new ArrayList<>();
    boolean paced = false;
    for (ConfigurationResult each : experiment.configurations()) {
      Of own = new Of(each, phase);
      Latencies latencies = own.latencies();
      if (latencies != null && !latencies.single()) {
        remarks.add(
            Words.join(", ", FormFigures.label(experiment, each), head)
                + ": "
                + latencies.batch()
                + " reads shared a reading of the clock, so that only their mean is known");
      }
      paced |= !paces(own).isEmpty();
    }
    if (paced) {
      remarks.add(
          head
              + ": reads started at a fixed rate; these latencies are service times, without the"
              + " wait for the reads before");
    }
    return remarks;
  }
}

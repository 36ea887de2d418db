package io.kvstadium.bench.report;

import static io.kvstadium.bench.report.PublishedTable.head;
import static io.kvstadium.bench.report.PublishedTable.label;
import static io.kvstadium.bench.report.PublishedTable.phases;
import static io.kvstadium.bench.report.PublishedTable.reasons;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The usual forms of tables: what each column of them holds. */
final class Forms {
  /** The phases of create, read, update and delete. Others are shown in the comparison only. */
  private static final List<String> CRUD =
      List.of("create", "write", "read", "update", "delete", "close");

  private static final List<String> READS = List.of("get", "lend");

  private static final List<Column<Trials>> FILL =
      List.of(
          column("seconds", own -> own.nanos() / 1e9),
          column("records/s", own -> own.entries() * 1e9 / own.nanos()),
          column("MB/s", Forms::megabytes));

  private static final List<Column<Trials>> READ =
      List.of(
          column("reads/s", PhaseResult::rate),
          Column.of("mean", Forms::mean),
          latency("p95", own -> own.at(0.95)),
          latency("p99", own -> own.at(0.99)),
          latency("p99.9", own -> own.at(0.999)),
          latency("p99.99", own -> own.at(0.9999)),
          latency("max", Latencies::maxNanos));

  private static final List<Column<Trials>> UPDATE =
      List.of(
          column("updates/s", PhaseResult::rate),
          column("MB/s", Forms::megabytes),
          column("asked/s", own -> own.pace() == null ? -1 : own.pace().rate()),
          Column.of("held", Forms::held));

  private static final List<Column<ConfigurationResult>> COSTS =
      List.of(
          Column.of("open ms", own -> millis(own, "open")),
          Column.of("close ms", own -> millis(own, "close")),
          Column.of(
              "anonymous",
              own -> Units.bytes(Trials.median(own, card -> card.memory().anonymousBytes()))),
          Column.of(
              "file", own -> Units.bytes(Trials.median(own, card -> card.memory().fileBytes()))),
          Column.of(
              "disk", own -> Units.bytes(Trials.median(own, card -> card.sizes().resting()))));

  private Forms() {}

  private static Column<Trials> column(String head, ToDoubleFunction<PhaseResult> figure) {
    return Column.of(head, own -> Units.plain(own.median(figure)));
  }

  /** A figure of single operations, or a dash where they were timed in batches. */
  private static Column<Trials> latency(String head, Function<Latencies, @Nullable Long> figure) {
    return Column.of(
        head,
        own -> {
          Latencies all = own.latencies();
          Long nanos = all == null || !all.single() ? null : figure.apply(all);
          return Units.plain(nanos == null ? Double.NaN : nanos);
        });
  }

  private static String mean(Trials own) {
    Latencies latencies = own.latencies();
    return Units.plain(latencies == null ? Double.NaN : latencies.meanPerOperation());
  }

  /** Decimal megabytes of keys and values per second; negative if the bytes were not counted. */
  private static double megabytes(PhaseResult phase) {
    return phase.bytes() <= 0 ? -1 : phase.bytes() * 1e3 / phase.nanos();
  }

  private static String held(Trials own) {
    List<Pace> paces = own.each(PhaseResult::pace);
    return paces.isEmpty()
        ? Table.MISSING
        : paces.stream().filter(Pace::held).count() + " of " + paces.size();
  }

  private static String millis(ConfigurationResult own, String phase) {
    return Units.millis(Trials.of(own, phase).median(PhaseResult::nanos));
  }

  /**
   * A large store under load: filling, reading with the tail of its latencies, updating, and what
   * opening, memory and disk cost. One table for each, because no terminal is wide enough for all.
   */
  static List<PublishedTable> scale(List<ExperimentResult> experiments) {
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
            "Medians over trials. asked: the rate at which they should start; held: in how many"
                + " trials the store kept up.",
            List.of("update", "read-modify-write"),
            UPDATE),
        byConfiguration(
            experiments,
            "opening, memory and size",
            "Medians over trials. Memory is the highest value seen; disk counts allocated blocks.",
            COSTS));
  }

  /** Inserts and selects at several values of a number: total milliseconds, and per record. */
  static List<PublishedTable> sweep(List<ExperimentResult> experiments) {
    List<Column<ConfigurationResult>> columns = new ArrayList<>();
    List<String> phases = phases(experiments, List.of("insert", "load", "get", "lend"));
    for (String phase : phases) {
      columns.add(Column.of(phase + " ms", own -> millis(own, phase)));
    }
    for (String phase : phases) {
      ToDoubleFunction<PhaseResult> each = own -> (double) own.nanos() / own.entries();
      columns.add(
          Column.of("per " + phase, own -> Units.millis(Trials.of(own, phase).median(each))));
    }
    String title = "total milliseconds, and per record";
    return List.of(byConfiguration(experiments, title, "Medians over trials.", columns));
  }

  private static PublishedTable byConfiguration(
      List<ExperimentResult> experiments,
      String title,
      String note,
      List<Column<ConfigurationResult>> columns) {
    return PublishedTable.of(
        experiments, title, note, columns, _ -> Map.of("", Function.identity()));
  }

  private static PublishedTable byPhase(
      List<ExperimentResult> experiments,
      String title,
      String note,
      List<String> operations,
      List<Column<Trials>> columns) {
    Map<String, Function<ConfigurationResult, Trials>> blocks = new LinkedHashMap<>();
    phases(experiments, operations).forEach(name -> blocks.put(name, own -> Trials.of(own, name)));
    PublishedTable table = PublishedTable.of(experiments, title, note, columns, _ -> blocks);
    return operations.equals(READS)
        ? table.remarking(
            experiments.stream()
                .flatMap(each -> blocks.keySet().stream().flatMap(phase -> remarks(each, phase)))
                .toList())
        : table;
  }

  /** Says for which reads only the mean is known, and for which the waiting time is left out. */
  private static Stream<String> remarks(ExperimentResult experiment, String phase) {
    String head = Words.join(", ", head(experiment), phase);
    List<String> remarks = new ArrayList<>();
    boolean paced = false;
    for (ConfigurationResult each : experiment.configurations()) {
      Trials own = Trials.of(each, phase);
      Latencies latencies = own.latencies();
      if (latencies != null && !latencies.single()) {
        remarks.add(
            "%s: %s reads shared one clock reading, so only their mean is known"
                .formatted(Words.join(", ", label(experiment, each), head), latencies.batch()));
      }
      paced |= !own.each(PhaseResult::pace).isEmpty();
    }
    if (paced) {
      remarks.add(
          head
              + ": reads started at a fixed rate; these latencies are service times, without the"
              + " wait for earlier reads");
    }
    return remarks.stream();
  }

  /** Space, the time to write everything, and the time to open, read one key and close again. */
  static List<PublishedTable> openRead(List<ExperimentResult> experiments) {
    record Reading(ConfigurationResult own, List<String> writes, String read) {
      // an engine that takes entries only by bulk load has no figure for inserts
      double seconds() {
        return writes.stream()
            .mapToDouble(write -> Trials.of(own, write).median(phase -> phase.nanos() / 1e9))
            .filter(value -> !Double.isNaN(value))
            .findFirst()
            .orElse(Double.NaN);
      }

      String millis(boolean mean, ToDoubleFunction<Latencies> figure) {
        Trials trials = Trials.of(own, read);
        Latencies all = trials.latencies();
        return Units.millis(
            all != null && all.single()
                ? figure.applyAsDouble(all)
                : mean ? trials.median(PhaseResult::nanosPerOperation) : Double.NaN);
      }
    }

    List<Column<Reading>> columns =
        List.of(
            Column.of(
                "space",
                row -> Units.bytes(Trials.median(row.own, card -> card.sizes().resting()))),
            Column.of("write s", row -> Units.plain(row.seconds())),
            Column.of("min ms", row -> row.millis(false, Latencies::minNanos)),
            Column.of("mean ms", row -> row.millis(true, Latencies::meanNanos)),
            Column.of("max ms", row -> row.millis(false, Latencies::maxNanos)));
    return List.of(
        PublishedTable.of(
            experiments,
            "space, time to write everything, and to open, read one key and close",
            "Space counts allocated blocks. Space and writing are medians over trials; min, mean"
                + " and max are over the reads of all trials.",
            columns,
            experiment -> {
              List<String> writes = phases(List.of(experiment), List.of("insert", "load"));
              List<String> reads = phases(List.of(experiment), List.of("open-get"));
              Map<String, Function<ConfigurationResult, @Nullable Reading>> blocks =
                  new LinkedHashMap<>();
              for (String read : reads) {
                String head = reads.size() > 1 ? read : "";
                boolean first = blocks.isEmpty(); // later ones exist only for some languages
                blocks.put(
                    head,
                    own ->
                        first || !Trials.of(own, read).isEmpty()
                            ? new Reading(own, writes, read)
                            : null);
              }
              return blocks;
            }));
  }

  /**
   * Create, read, update and delete: milliseconds of six phases in each trial, their sum, and
   * arithmetic means.
   */
  static List<PublishedTable> crud(List<ExperimentResult> experiments) {
    List<Column<List<TrialResult>>> columns =
        Stream.concat(CRUD.stream(), Stream.of("total"))
            .map(phase -> Column.of(phase, (List<TrialResult> own) -> mean(own, phase)))
            .toList();
    List<Rows> blocks = new ArrayList<>();
    for (ExperimentResult experiment : experiments) {
      for (ConfigurationResult own : experiment.configurations()) {
        List<TrialResult> trials = Trials.good(own);
        List<Row> rows = new ArrayList<>();
        for (TrialResult each : trials) {
          rows.add(Column.row(columns, List.of(each), Row.of("trial " + each.number())));
        }
        rows.add(Column.row(columns, trials, Row.of("average").as(Table.Weight.SUM)));
        blocks.add(new Rows(Words.join(", ", head(experiment), label(experiment, own)), rows));
      }
    }
    return List.of(
        new PublishedTable(
            "milliseconds per trial, and their average",
            "The total is the sum of the six phases, and missing where one is. Averages are"
                + " arithmetic means.",
            Column.heads(columns),
            blocks,
            reasons(experiments)));
  }

  private static String mean(List<TrialResult> trials, String phase) {
    List<String> phases = phase.equals("total") ? CRUD : List.of(phase);
    double mean = trials.stream().mapToDouble(own -> sum(own, phases)).average().orElse(Double.NaN);
    return Double.isNaN(mean) ? Table.MISSING : String.format(Locale.ROOT, "%.1f", mean / 1e6);
  }

  private static double sum(TrialResult trial, List<String> phases) {
    return phases.stream()
        .map(name -> Trials.phase(trial, name))
        .mapToDouble(phase -> phase == null ? Double.NaN : phase.nanos())
        .sum();
  }
}

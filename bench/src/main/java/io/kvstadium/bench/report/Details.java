package io.kvstadium.bench.report;

import io.kvstadium.bench.report.analysis.Absence;
import io.kvstadium.bench.report.analysis.ExperimentReport;
import io.kvstadium.bench.report.analysis.OpenLoopFigures;
import io.kvstadium.bench.report.analysis.PhaseRanking;
import io.kvstadium.bench.report.analysis.Standing;
import io.kvstadium.bench.report.analysis.Trials;
import io.kvstadium.bench.report.analysis.Warning;
import io.kvstadium.bench.report.table.SeriesStyle;
import io.kvstadium.bench.report.table.Table;
import io.kvstadium.bench.report.table.Table.Cell;
import io.kvstadium.bench.report.table.Table.Column;
import io.kvstadium.bench.report.table.Table.Row;
import io.kvstadium.bench.report.table.Table.Tone;
import io.kvstadium.bench.result.Audit;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Facts;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Samples;
import io.kvstadium.bench.result.Samples.Times;
import io.kvstadium.bench.stats.Latencies;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.TextStyle;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every figure behind the answer, as tables, and the circumstances, as texts by name. */
final class Details {
  private static final String INTERVALS =
      "Figures are geometric means over trials; each trial ran in its own process. Intervals are at 95 %, on"
          + " logarithms; the variance of each figure is steadied by those of all in its group. All"
          + " comparisons of a phase are judged together: of phases in which all engines are equal,"
          + " at most one in twenty names a difference. A percentile is shown only if each sample is"
          + " one operation and 10 samples lie beyond it.";

  private Details() {}

  /**
   * Latencies of one kind: at a fixed rate there are response times as well as service times.
   *
   * @param operation the kind of operation that they are of, or an empty text for all
   * @param samples what they are extracted from
   * @param latencies of all its trials
   */
  record Timed(Standing own, Times times, String operation, Samples samples, Latencies latencies) {
    /**
     * All latencies of a phase; at a fixed rate, the response times come first. Those by operation
     * are what a caller waits.
     */
    static List<Timed> of(PhaseRanking ranking) {
      List<Timed> all = new ArrayList<>();
      for (Standing own : ranking.all()) {
        for (Times times : List.of(Times.RESPONSE, Times.SERVICE)) {
          add(all, own, times, "", own.samples());
        }
        for (String operation : own.samples().operations()) {
          add(all, own, Times.CALLER, operation, own.samples().only(operation));
        }
      }
      return all;
    }

    private static void add(
        List<Timed> all, Standing own, Times times, String operation, Samples samples) {
      Latencies known = samples.latencies(times);
      if (known != null) {
        all.add(new Timed(own, times, operation, samples, known));
      }
    }

    String name() {
      String kind = own.openLoop() == null || !operation.isEmpty() ? "" : times.word();
      return TextStyle.join(", ", own.configuration(), kind, operation);
    }

    /** Whether it is the second kind of its configuration. */
    boolean lesser() {
      return own.openLoop() != null && times == Times.SERVICE;
    }

    String text(Figure ofCaller) {
      return Figures.named(times.prefix() + ofCaller.name()).text(samples);
    }
  }

  /** Every figure of a phase but its latencies, with its verdict and its warnings. */
  static Table figures(PhaseRanking ranking) {
    List<Column<Standing>> columns = new ArrayList<>();
    columns.add(Column.of("mean", Standing::text));
    columns.add(Column.of("interval 95 %", own -> own.figure().range()));
    columns.add(Column.of("trials", own -> Integer.toString(own.rate().n())));
    Figures.COSTS_OF_PHASE.forEach(
        figure -> columns.add(Column.of(figure.head(), own -> figure.text(own.samples()))));
    if (ranking.atFixedRate()) {
      columns.add(Column.of("rate wanted", own -> openLoop(own, p -> Units.rate(p.wanted()))));
      columns.add(Column.of("rate achieved", own -> openLoop(own, p -> Units.rate(p.achieved()))));
      columns.add(Column.of("held in", own -> openLoop(own, p -> p.held() + " of " + p.trials())));
      columns.add(
          Column.of(
              "limit", own -> openLoop(own, p -> p.limit() == null ? "" : p.limit().toString())));
      columns.add(
          Column.of("limiter late", own -> openLoop(own, p -> Units.time(p.latenessNanos()))));
    }
    columns.add(
        new Column<>(
            new Table.Head("against the fastest", true),
            own -> Cell.of(words(ranking, own), tone(ranking, own))));
    return Table.of(
            ranking.phase(),
            columns,
            ranking.all(),
            own ->
                new Row(
                    own.configuration(),
                    own.style(),
                    List.of(),
                    own.warnings().stream().map(Warning.Found::text).toList()))
        .known();
  }

  private static String time(long nanos) {
    return nanos < 0 ? Units.MISSING : Units.time(nanos);
  }

  private static String openLoop(Standing own, Function<OpenLoopFigures, String> figure) {
    return own.openLoop() == null ? Units.MISSING : figure.apply(own.openLoop());
  }

  private static String words(PhaseRanking ranking, Standing own) {
    return own.compared() ? ranking.words(own) : "not compared";
  }

  private static Tone tone(PhaseRanking ranking, Standing own) {
    return switch (own.verdict()) {
      case Verdict.Slower _ -> Tone.BAD;
      case Verdict.Undecided _ -> Tone.DIM;
      case null -> ranking.decided() && own.compared() ? Tone.GOOD : Tone.PLAIN;
      default -> Tone.PLAIN;
    };
  }

  /**
   * The latencies of a phase, or {@code null} if there are none. There are percentiles and a
   * maximum only where a sample is one operation; batches have the mean of an operation.
   */
  static @Nullable Table latencies(PhaseRanking ranking) {
    List<Timed> all = Timed.of(ranking);
    List<Column<Timed>> columns = new ArrayList<>();
    ofCaller().forEach(figure -> columns.add(Column.of(figure.head(), own -> own.text(figure))));
    return all.isEmpty()
        ? null
        : Table.of(
            ranking.phase() + " latency",
            columns,
            all,
            each -> {
              int batch = each.latencies.batch();
              String batches = batch == 1 ? "" : " (batches of " + batch + ")";
              return new Row(each.name() + batches, each.own.style(), List.of(), List.of());
            });
  }

  /** Percentiles of what a caller waits. */
  private static Stream<Figure> ofCaller() {
    return Figures.of(Times.CALLER).stream().filter(figure -> !figure.head().isEmpty());
  }

  /** Percentiles of a phase in several runs, drawn as in {@link Charts}. */
  static Table latencies(String phase, Map<String, Trials> runs) {
    List<Column<Map.Entry<String, Trials>>> columns = new ArrayList<>();
    ofCaller()
        .forEach(figure ->
            columns.add(Column.of(figure.head(), run -> figure.text(run.getValue().samples()))));
    List<String> names = List.copyOf(runs.keySet());
    return Table.of(
        phase + " latency",
        columns,
        runs.entrySet(),
        run ->
            new Row(
                run.getKey(), new SeriesStyle(names.indexOf(run.getKey())), List.of(), List.of()));
  }

  /** The rates that searches tried, in order, or {@code null} if there was no search. */
  static @Nullable Table tries(PhaseRanking ranking) {
    record Tried(Standing own, OpenLoop.Try what) {}

    List<Tried> tried = new ArrayList<>();
    for (Standing own : ranking.all()) {
      if (own.openLoop() != null) {
        own.openLoop().tries().forEach(each -> tried.add(new Tried(own, each)));
      }
    }
    List<Column<Tried>> columns =
        List.of(
            Column.of("rate", each -> Units.rate(each.what.rate())),
            Column.of("percentile", each -> time(each.what.percentileNanos())),
            Column.of("limit", each -> each.what.held() ? "held" : "not held"));
    return tried.isEmpty()
        ? null
        : Table.of(
            ranking.phase() + " search",
            columns,
            tried,
            each -> new Row(each.own.configuration(), each.own.style(), List.of(), List.of()));
  }

  /** What was run: the data, and each configuration. */
  static Map<String, String> setup(ExperimentReport section) {
    ExperimentResult experiment = section.experiment();
    Map<String, String> facts = new LinkedHashMap<>();
    experiment.shape().forEach((name, value) -> facts.put(name, Facts.text(value)));
    if (experiment.plan().memory() > 0) {
      facts.put(
          "memory of each trial",
          Units.bytes(experiment.plan().memory()) + ", page cache included");
    }
    facts.put(
        "seeds of the trials",
        experiment.configurations().stream()
            .flatMap(each -> each.trials().stream())
            .map(trial -> Long.toString(trial.seed()))
            .distinct()
            .collect(Collectors.joining(", ")));
    for (ConfigurationResult own : experiment.configurations()) {
      facts.put(own.name(), setup(own));
    }
    return facts;
  }

  private static String setup(ConfigurationResult own) {
    Configuration plan = own.plan();
    String level =
        plan.durability() == own.effective()
            ? "durability " + plan.durability().word()
            : "durability %s asked, %s in force"
                .formatted(plan.durability().word(), own.effective().word());
    Map<String, String> set = new LinkedHashMap<>(plan.options());
    plan.reopen().forEach((name, value) -> set.put("reopened: " + name, value));
    if (plan.access() != Configuration.Access.SINGLE) {
      set.put("access", plan.access().word());
    }
    if (!plan.language().equals(Configuration.JAVA)) {
      set.put("language", plan.language());
    }
    if (!plan.jvm().isEmpty()) {
      set.put("jvm", String.join(" ", plan.jvm()));
    }
    String options =
        set.entrySet().stream()
            .map(option -> option.getKey() + "=" + option.getValue())
            .collect(Collectors.joining(", "));
    String trials =
        own.skipped() == null
            ? "%d of %d trials have figures".formatted(Trials.good(own).size(), own.trials().size())
            : "skipped";
    return TextStyle.join(
        "; ",
        (own.title() + " " + own.version()).strip(),
        level + (own.settings().isEmpty() ? "" : " by " + own.settings()),
        Objects.requireNonNullElse(own.evidence(), ""),
        "opened " + plan.url("…"),
        options.isEmpty() ? "" : "options " + options,
        trials);
  }

  /** Where and how it was measured. */
  static Map<String, String> circumstances(Results results) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Machine", machine(results.machine()));
    facts.put("Intervals", INTERVALS);
    Audit audit = results.audit();
    facts.put("Harness", audit == null ? "Its cost was not measured." : audit(audit));
    if (audit != null) {
      audit.languages().forEach((name, own) -> facts.put("Harness in " + name, audit(own)));
    }
    for (Finding.Level level : Finding.Level.values()) {
      results.findings().stream()
          .filter(each -> each.level() == level)
          .forEach(each ->
              facts.merge(
                  TextStyle.sentence(level.name().toLowerCase(Locale.ROOT)) + ", " + each.subject(),
                  each.message(),
                  (one, other) -> one + "; " + other));
    }
    facts.put(
        "Run",
        "Stadium %s, started %s, took %s, seed %s: %s"
            .formatted(
                results.stadium(),
                results.started(),
                Units.seconds(results.seconds()),
                results.seed(),
                results.command()));
    return facts;
  }

  static String machine(Machine own) {
    String cores = own.cores() + (own.cores() == 1 ? " core" : " cores");
    String memory = Units.bytes(own.memoryBytes()) + " of memory";
    String disk = own.fileSystem() + " on " + own.device();
    return String.join(", ", own.cpu(), cores, memory, disk, own.system(), "Java " + own.java());
  }

  static String audit(Audit audit) {
    return "The harness itself costs %s per timed operation and %s per batched one, a clock read %s"
            .formatted(
                Units.time(audit.timedNanos()),
                Units.time(audit.batchedNanos()),
                Units.time(audit.timerNanos()))
        + known("; its own p99.9 is %s", audit.p999Nanos())
        + known("; its rate limiter starts operations %s late", audit.slipNanos())
        + known(" (p99 %s)", audit.slipP99Nanos())
        + " (null engine, same run).";
  }

  private static String known(String form, long nanos) {
    return nanos < 0 ? "" : form.formatted(Units.time(nanos));
  }

  /** What is missing, and why. */
  static Map<String, String> absences(Stream<Absence> all) {
    Map<String, String> terms = new LinkedHashMap<>();
    all.forEach(each -> terms.put(each.configuration() + ", " + each.what(), each.reason()));
    return terms;
  }
}

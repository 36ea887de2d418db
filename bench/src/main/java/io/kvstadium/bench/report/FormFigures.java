package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.SweepPoint;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What published tables are made of: figures of a phase over its trials, and their texts. */
final class FormFigures {
  private static final double NANOS_PER_MILLI = 1e6;

  private FormFigures() {}

  /** Names of the phases that did one of these operations, in the order of the operations. */
  static List<String> phases(List<ExperimentResult> experiments, List<String> operations) {
    Map<String, String> known = new HashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (ExperimentResult experiment : experiments) {
      names.addAll(experiment.phases());
      for (ConfigurationResult configuration : experiment.configurations()) {
        for (TrialResult trial : configuration.trials()) {
          for (PhaseResult phase : trial.phases()) {
            names.add(phase.name());
            known.put(phase.name(), phase.operation());
          }
        }
      }
    }
    List<String> found = new ArrayList<>();
    for (String operation : operations) {
      names.stream().filter(name -> operation.equals(known.get(name))).forEach(found::add);
    }
    return found;
  }

  /** The median over trials, or NaN if none has the phase. */
  static double median(
      ConfigurationResult configuration, String phase, ToDoubleFunction<PhaseResult> figure) {
    return Median.ofKnown(Trials.of(configuration, phase).phases().stream().mapToDouble(figure));
  }

  /** The median over the trials that know the figure (those that give none below 0), or NaN. */
  static double median(ConfigurationResult configuration, ToDoubleFunction<CostCard> figure) {
    return Median.ofKnown(
        Trials.good(configuration).stream().map(TrialResult::card).mapToDouble(figure));
  }

  /** A configuration's trials of one phase, which a row is made from. */
  record Of(ConfigurationResult configuration, String phase) {
    List<PhaseResult> phases() {
      return Trials.of(configuration, phase).phases();
    }

    /** The median over trials as a text. */
    String median(ToDoubleFunction<PhaseResult> figure) {
      return number(FormFigures.median(configuration, phase, figure));
    }

    @Nullable Latencies latencies() {
      return FormFigures.latencies(configuration, phase);
    }

    /** A figure of single operations as a text, or a dash where they were timed in batches. */
    String latency(Function<Latencies, @Nullable Long> figure) {
      Latencies own = latencies();
      Long nanos = own == null || !own.single() ? null : figure.apply(own);
      return nanos == null ? Table.MISSING : number((double) nanos);
    }
  }

  /** A row for each configuration of an experiment. */
  static <R> Rows rows(
      ExperimentResult experiment,
      String head,
      List<Column<R>> columns,
      Function<ConfigurationResult, R> made) {
    return new Rows(
        head,
        experiment.configurations().stream()
            .map(each -> Row.of(label(experiment, each), Column.texts(columns, made.apply(each))))
            .toList());
  }

  /** The latencies of all trials, or {@code null} if none were recorded. */
  static @Nullable Latencies latencies(ConfigurationResult configuration, String phase) {
    return Trials.of(configuration, phase).latencies();
  }

  static double millis(PhaseResult phase) {
    return phase.nanos() / NANOS_PER_MILLI;
  }

  /** Decimal megabytes of keys and values per second; NaN if the bytes were not counted. */
  static double megabytes(PhaseResult phase) {
    return phase.bytes() <= 0 ? Double.NaN : phase.bytes() * 1e3 / phase.nanos();
  }

  static double entriesPerSecond(PhaseResult phase) {
    return phase.entries() * 1e9 / phase.nanos();
  }

  /** Three significant digits, all digits before the point, and a dash for NaN. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return Table.MISSING;
    }
    if (value == 0) {
      return "0";
    }
    if (value >= 99.95) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = 2 - (int) Math.floor(Math.log10(value) + 1e-3);
    return String.format(Locale.ROOT, "%." + Math.max(0, decimals) + "f", value);
  }

  static String millis(double nanos) {
    return number(nanos / NANOS_PER_MILLI);
  }

  static String bytes(double bytes) {
    return CostColumns.bytes(bytes);
  }

  /** The configuration's name, with its group where there are several. */
  static String label(ExperimentResult experiment, ConfigurationResult configuration) {
    boolean groups =
        experiment.configurations().stream().map(ConfigurationResult::group).distinct().count() > 1;
    boolean told = configuration.name().contains(configuration.durability()); // of a matrix
    return configuration.name() + (groups && !told ? " (" + configuration.group() + ")" : "");
  }

  /** What tells an experiment from the others of its sweep; empty if it belongs to none. */
  static String head(ExperimentResult experiment) {
    SweepPoint point = experiment.point();
    return point == null ? "" : point.parameter().replace('_', ' ') + " " + point.label();
  }

  /** Why configurations without a figure have none, each once. */
  static List<String> reasons(Collection<ExperimentResult> experiments) {
    Set<String> reasons = new LinkedHashSet<>();
    for (ExperimentResult experiment : experiments) {
      for (ConfigurationResult each : experiment.configurations()) {
        String name = label(experiment, each);
        if (each.skipped() != null) {
          reasons.add(name + ": skipped: " + each.skipped());
        } else if (Trials.good(each).isEmpty()) {
          reasons.add(name + ": " + failure(each));
        }
      }
    }
    return List.copyOf(reasons);
  }

  private static String failure(ConfigurationResult configuration) {
    for (TrialResult trial : configuration.trials()) {
      if (trial.failure() != null) {
        return "trial " + trial.number() + " failed: " + trial.failure();
      }
    }
    return "no trial was finished";
  }
}

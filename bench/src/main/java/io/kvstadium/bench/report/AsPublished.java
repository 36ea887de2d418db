package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table form in which measurements of create, read, update and delete are often published:
 * milliseconds of six phases, for each trial and on average. It compares nothing: the boards do.
 *
 * @param blocks one for each configuration that has figures
 */
public record AsPublished(List<Block> blocks) {
  /** The phases of the form, in order. Others are shown in the comparison only. */
  public static final List<String> PHASES =
      List.of("open", "write", "read", "update", "delete", "close");

  public AsPublished {
    blocks = List.copyOf(blocks);
  }

  /**
   * A configuration's rows.
   *
   * @param configuration its name
   * @param group its group
   * @param trials those that did not fail
   * @param average arithmetic mean over the trials
   */
  public record Block(String configuration, String group, List<Row> trials, Row average) {
    public Block {
      trials = List.copyOf(trials);
    }
  }

  /**
   * One row.
   *
   * @param label {@code trial 1} or {@code average}
   * @param millis of each of {@link #PHASES}, NaN if it was not measured
   * @param total their sum, NaN if any was not measured
   */
  public record Row(String label, List<Double> millis, double total) {
    public Row {
      millis = List.copyOf(millis);
    }
  }

  static @Nullable AsPublished of(ExperimentResult experiment) {
    if (!experiment.form().equals("crud")) {
      return null;
    }
    List<Block> blocks = new ArrayList<>();
    for (ConfigurationResult configuration : experiment.configurations()) {
      List<Row> rows = new ArrayList<>();
      for (TrialResult trial : Trials.good(configuration)) {
        rows.add(
            row("trial " + trial.number(), PHASES.stream().map(p -> millis(trial, p)).toList()));
      }
      if (!rows.isEmpty()) {
        blocks.add(new Block(configuration.name(), configuration.group(), rows, average(rows)));
      }
    }
    return new AsPublished(blocks);
  }

  private static Row row(String label, List<Double> millis) {
    return new Row(label, millis, millis.stream().mapToDouble(Double::doubleValue).sum());
  }

  private static Row average(List<Row> rows) {
    List<Double> means = new ArrayList<>();
    for (int i = 0; i < PHASES.size(); i++) {
      int phase = i;
      means.add(
          rows.stream().mapToDouble(row -> row.millis().get(phase)).average().orElse(Double.NaN));
    }
    return row("average", means);
  }

  private static double millis(TrialResult trial, String name) {
    PhaseResult phase = Trials.phase(trial, name);
    return phase == null ? Double.NaN : phase.nanos() / 1e6;
  }
}

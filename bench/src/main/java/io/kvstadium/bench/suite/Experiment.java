package io.kvstadium.bench.suite;

import io.kvstadium.bench.result.Aim;
import io.kvstadium.bench.result.SweepPoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One workload on several configurations.
 *
 * @param name unique in its suite
 * @param question what it answers
 * @param tables which ones it wants in reports beside the common one: {@code common}, {@code crud}
 *     …
 * @param point where it stands in a sweep, or {@code null} if it belongs to none
 * @param memory the limit of each trial's memory in bytes, page cache included, or 0
 * @param paired whether each trial runs a configuration and its engine used by hand in turns
 * @param kill whether each trial ends with a kill of its process, after which the store is opened
 *     again; of engines that cannot take part in that, it does not
 * @param aim what its reader is after
 * @param data what the stores hold
 * @param phases in order
 * @param configurations what is compared; empty for every installed engine that can
 */
public record Experiment(
    String name,
    String question,
    String tables,
    @Nullable SweepPoint point,
    long memory,
    boolean paired,
    boolean kill,
    Aim aim,
    DataSpec data,
    List<PhaseSpec> phases,
    List<Configuration> configurations) {
  public Experiment {
    phases = List.copyOf(phases);
    configurations = List.copyOf(configurations);
  }

  /** One whose reader is after nothing else. */
  public Experiment(
      String name,
      String question,
      String tables,
      @Nullable SweepPoint point,
      long memory,
      boolean paired,
      boolean kill,
      DataSpec data,
      List<PhaseSpec> phases,
      List<Configuration> configurations) {
    this(
        name,
        question,
        tables,
        point,
        memory,
        paired,
        kill,
        Aim.NONE,
        data,
        phases,
        configurations);
  }

  /** With another aim. */
  public Experiment withAim(Aim other) {
    return new Experiment(
        name, question, tables, point, memory, paired, kill, other, data, phases, configurations);
  }

  /** Whether a configuration has trials of its own; in pairs, those by hand share others'. */
  public boolean hasOwnTrials(Configuration configuration) {
    return !paired || configuration.access() != Configuration.Access.RAW;
  }

  /** With other configurations. */
  public Experiment withConfigurations(List<Configuration> others) {
    return new Experiment(
        name, question, tables, point, memory, paired, kill, aim, data, phases, others);
  }

  /** With other phases. */
  public Experiment withPhases(List<PhaseSpec> others) {
    return new Experiment(
        name, question, tables, point, memory, paired, kill, aim, data, others, configurations);
  }

  /** With other data. */
  public Experiment withData(DataSpec other) {
    return new Experiment(
        name, question, tables, point, memory, paired, kill, aim, other, phases, configurations);
  }

  /** With another limit of memory, or 0. */
  public Experiment withMemory(long bytes) {
    return new Experiment(
        name, question, tables, point, bytes, paired, kill, aim, data, phases, configurations);
  }

  /** As a point of a sweep, whose name tells where it stands; or as none, with the sweep's name. */
  public Experiment at(@Nullable SweepPoint newPoint) {
    String newName = newPoint != null ? newPoint.title() : point != null ? point.sweep() : name;
    return new Experiment(
        newName,
        question,
        tables,
        newPoint,
        memory,
        paired,
        kill,
        aim,
        data,
        phases,
        configurations);
  }

  /** With the records times a factor, and no fewer than one. */
  public Experiment scaled(double factor) {
    DataSpec scaled = data.withRecords(Math.max(1, Math.round(data.records() * factor)));
    Experiment changed = withData(scaled);
    return point != null && point.parameter().equals("records")
        ? changed.at(point.withValue((double) scaled.records()))
        : changed;
  }
}

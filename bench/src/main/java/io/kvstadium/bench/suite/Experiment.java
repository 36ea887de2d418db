package io.kvstadium.bench.suite;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One workload on several configurations.
 *
 * @param name unique in its suite
 * @param question what it answers
 * @param point its point in a sweep, or {@code null} if it belongs to none
 * @param memory the limit of each trial's memory in bytes, page cache included, or 0
 * @param aim what its reader wants to know
 * @param data what the stores hold
 * @param phases in order
 * @param configurations what is compared; empty for every installed engine that can run it
 */
public record Experiment(
    String name,
    String question,
    @Nullable SweepPoint point,
    long memory,
    Aim aim,
    DataSpec data,
    List<PhaseSpec> phases,
    List<Configuration> configurations) {
  public Experiment {
    phases = List.copyOf(phases);
    configurations = List.copyOf(configurations);
  }

  /** Returns one that is no point of a sweep, without a limit and for any reader. */
  public static Experiment of(
      String name,
      String question,
      DataSpec data,
      List<PhaseSpec> phases,
      List<Configuration> configurations) {
    return new Experiment(name, question, null, 0, Aim.NONE, data, phases, configurations);
  }

  /** Returns a copy with the given name. */
  public Experiment named(String other) {
    return new Experiment(other, question, point, memory, aim, data, phases, configurations);
  }

  public Experiment withAim(Aim other) {
    return new Experiment(name, question, point, memory, other, data, phases, configurations);
  }

  public Experiment withConfigurations(List<Configuration> others) {
    return new Experiment(name, question, point, memory, aim, data, phases, others);
  }

  public Experiment withPhases(List<PhaseSpec> others) {
    return new Experiment(name, question, point, memory, aim, data, others, configurations);
  }

  public Experiment withData(DataSpec other) {
    return new Experiment(name, question, point, memory, aim, other, phases, configurations);
  }

  /** Returns a copy with the given memory limit, or 0 for none. */
  public Experiment withMemory(long bytes) {
    return new Experiment(name, question, point, bytes, aim, data, phases, configurations);
  }

  /** The phases, each followed by its background load if it has one. */
  public List<PhaseSpec> allPhases() {
    return phases.stream()
        .flatMap(phase -> Stream.of(phase, phase.background()))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Returns a copy as a point of a sweep, with a name that says which; or as no point, with the
   * sweep's name.
   */
  public Experiment at(@Nullable SweepPoint newPoint) {
    String newName = newPoint != null ? newPoint.title() : point != null ? point.sweep() : name;
    return new Experiment(newName, question, newPoint, memory, aim, data, phases, configurations);
  }

  /** Returns a copy with the number of records multiplied by a factor, at least one. */
  public Experiment scaled(double factor) {
    DataSpec scaled = data.withRecords(Math.max(1, Math.round(data.records() * factor)));
    Experiment changed = withData(scaled);
    return point != null && point.parameter().equals("records")
        ? changed.at(point.withValue((double) scaled.records()))
        : changed;
  }
}

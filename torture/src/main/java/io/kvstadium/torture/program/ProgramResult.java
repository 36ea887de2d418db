package io.kvstadium.torture.program;

import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.fault.Fault;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one fault.
 *
 * @param skipped why nothing was done, or {@code null}
 * @param fileSystems how many rounds were on each file system, where it was chosen
 * @param rounds in the order in which they ended
 * @param broken the rounds in which something was wrong; under {@code lie} and {@code flip}, which
 *     no program can withstand, they show that the check sees
 * @param outside files outside of the directory that the program had open for writing
 */
public record ProgramResult(
    Fault fault,
    @Nullable String skipped,
    Map<String, Integer> fileSystems,
    List<ProgramRound> rounds,
    List<FaultResult.Broken> broken,
    Set<String> outside) {
  public ProgramResult {
    outside = Collections.unmodifiableSortedSet(new TreeSet<>(outside));
    fileSystems = Map.copyOf(fileSystems);
    rounds = List.copyOf(rounds);
    broken = List.copyOf(broken);
  }

  /** Whether a program can be asked to withstand a fault. */
  public static boolean isDemanded(Fault fault) {
    return fault != Fault.LIE && fault != Fault.FLIP;
  }

  /** Whether the program failed where it could have held. */
  public boolean isFailure() {
    return isDemanded(fault) && !broken.isEmpty();
  }

  /** How many lines the program printed before faults. */
  public long acknowledged() {
    return rounds.stream().mapToLong(ProgramRound::acknowledged).sum();
  }

  /** In how many rounds the program ended by itself with a failure. */
  public long refused() {
    return rounds.stream().filter(ProgramRound::refused).count();
  }

  /** The rounds of several lanes as one result, with what was found outside before. */
  static ProgramResult of(Fault fault, List<ProgramResult> lanes, Set<String> before) {
    Map<String, Integer> fileSystems = new TreeMap<>();
    Set<String> outside = new TreeSet<>(before);
    lanes.forEach(lane -> outside.addAll(lane.outside));
    lanes.forEach(lane ->
        lane.fileSystems.forEach((name, count) -> fileSystems.merge(name, count, Integer::sum)));
    return new ProgramResult(
        fault,
        null,
        fileSystems,
        lanes.stream().flatMap(lane -> lane.rounds.stream()).toList(),
        lanes.stream().flatMap(lane -> lane.broken.stream()).toList(),
        outside);
  }
}

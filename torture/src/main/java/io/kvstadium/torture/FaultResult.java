package io.kvstadium.torture;

import io.kvstadium.store.Durability;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.fault.Fault;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome for one level under one fault.
 *
 * @param guarantee what was demanded
 * @param skipped why nothing was done, or {@code null}
 * @param fileSystems how many rounds were on each file system, where it was chosen
 * @param rounds in order
 * @param broken for each round whose findings broke the guarantee, how to repeat it
 */
public record FaultResult(
    Durability level,
    Fault fault,
    Guarantee guarantee,
    @Nullable String skipped,
    Map<String, Integer> fileSystems,
    List<Round> rounds,
    List<Broken> broken) {

  /**
   * A finding that breaks the guarantee.
   *
   * @param evidence what the fault found that was not durable, a sentence each, where it can know
   *     that
   * @param replay the line that repeats its sequence
   * @param kept where the store is, as the fault left it; {@code null} if it was not kept
   */
  public record Broken(Finding finding, List<String> evidence, String replay, @Nullable Path kept) {
    public Broken {
      evidence = List.copyOf(evidence);
    }

    /** How many rounds are repeated: the fewer, the shorter is the way to the finding. */
    public int rounds() {
      return Integer.parseInt(replay.substring(replay.lastIndexOf('=') + 1));
    }
  }

  public FaultResult {
    fileSystems = Map.copyOf(fileSystems);
    rounds = List.copyOf(rounds);
    broken = List.copyOf(broken);
  }

  /** How many faults the stores had. */
  public int faults() {
    return rounds.stream().mapToInt(Round::faults).sum();
  }

  /** In how many rounds calls failed; for {@code eio} and {@code full}, shows whether they hit. */
  public long refused() {
    return rounds.stream().filter(Round::refused).count();
  }

  /** How many operations were acknowledged. */
  public long acknowledged() {
    return rounds.stream().mapToLong(Round::acknowledged).sum();
  }

  /** In how many rounds something acknowledged was lost, whether that was allowed or not. */
  public long roundsWithLoss() {
    return rounds.stream().filter(round -> round.lost() > 0).count();
  }

  /** The most operations lost in a round. */
  public long mostLost() {
    return rounds.stream().mapToLong(Round::lost).max().orElse(0);
  }

  /** The longest time before a fault whose operations were lost, in ms. */
  public double mostLostMillis() {
    return rounds.stream().mapToDouble(Round::lostMillis).max().orElse(0);
  }

  /** How often each kind was found, whether that breaks a guarantee or not. */
  public Map<Finding.Kind, Long> findings() {
    Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
    rounds.stream()
        .flatMap(round -> round.findings().stream().map(Finding::kind).distinct())
        .forEach(kind -> counts.merge(kind, 1L, Long::sum));
    return counts;
  }

  /** The median time to open after a fault, in nanoseconds; 0 if it never opened. */
  public long medianReopenNanos() {
    long[] times = reopens();
    return times.length == 0 ? 0 : times[times.length / 2];
  }

  /** The longest time to open after a fault, in nanoseconds; 0 if it never opened. */
  public long longestReopenNanos() {
    long[] times = reopens();
    return times.length == 0 ? 0 : times[times.length - 1];
  }

  private long[] reopens() {
    long[] times = rounds.stream().mapToLong(Round::reopenNanos).filter(each -> each > 0).toArray();
    Arrays.sort(times);
    return times;
  }
}

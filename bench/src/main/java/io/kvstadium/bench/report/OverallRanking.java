package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Overall;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ranking within a group over all phases of its workload, which count alike: each trial has one
 * value, the geometric mean of its phases' speeds, as {@link Overall} says.
 *
 * <p>Phases are all that any configuration has figures for. {@code open} and {@code close} do not
 * count, being costs and not part of the workload; nor do bulk loads, which stand beside inserts
 * and which few engines offer; nor phases at a fixed rate, where all that keep up are equal. A
 * search for the highest rate counts.
 *
 * <p>Ranked are the configurations that have a figure for each of them in all their trials: what
 * cannot scan has no rank over a workload that scans. The others are named in the sentence, and
 * compared with the best over the phases that both have. To leave out phases that any one lacks
 * would let a configuration that lacks much, such as a plain file that is only loaded, decide by
 * what little the others are judged.
 *
 * @param phases how many phases it is over
 * @param places of those that are ranked, highest median first
 * @param sentence the verdict in a plain sentence
 */
public record OverallRanking(int phases, List<Rank> places, String sentence) {
  /** Of more without all phases only the names are given. */
  private static final int COMPARED = 3;

  public OverallRanking {
    places = List.copyOf(places);
  }

  /**
   * A configuration's place.
   *
   * @param configuration its name
   * @param relative its median as a fraction of the highest, at most 1
   * @param verdict on it against the one with the highest median; {@code null} for that one itself
   */
  public record Rank(String configuration, double relative, @Nullable Verdict verdict) {}

  /**
   * Ranks the configurations of a group.
   *
   * @param figures phase → configuration → its trials by the phase's measure; none empty
   * @return {@code null} if there are fewer than two phases or two configurations
   */
  static @Nullable OverallRanking of(Map<String, Map<String, Trials>> figures) {
    Map<String, Map<String, Trials>> configurations = new LinkedHashMap<>();
    Set<String> phases = new LinkedHashSet<>();
    Set<String> paced = new LinkedHashSet<>();
    figures.forEach((phase, trials) -> {
      if (trials.values().stream().anyMatch(Trials::atFixedRate)) {
        paced.add(phase);
      } else if (trials.values().stream().allMatch(Trials::counts)) {
        phases.add(phase);
        trials.forEach((name, own) ->
            configurations.computeIfAbsent(name, _ -> new LinkedHashMap<>()).put(phase, own));
      }
    });
    if (phases.size() < 2 || configurations.size() < 2) {
      return null;
    }
    Map<String, List<String>> gaps = new LinkedHashMap<>();
    configurations.forEach((name, own) -> gaps.put(name, gaps(own, phases)));
    List<Rank> places = places(configurations, gaps);
    gaps.values().removeIf(List::isEmpty);
    return new OverallRanking(
        phases.size(),
        places,
        Sentence.of(places)
            + unranked(configurations, gaps, places)
            + (paced.isEmpty()
                ? ""
                : " Not counted, at a fixed rate: " + String.join(", ", paced) + "."));
  }

  private static List<String> gaps(Map<String, Trials> own, Set<String> phases) {
    Set<Integer> numbers = new TreeSet<>();
    own.values().forEach(trials -> numbers.addAll(trials.byNumber().keySet()));
    List<String> gaps = new ArrayList<>();
    for (String phase : phases) {
      Trials trials = own.get(phase);
      int known = trials == null ? 0 : trials.byNumber().size();
      if (known < numbers.size()) {
        gaps.add(
            known == 0
                ? "no " + phase
                : phase + " in " + known + " of " + numbers.size() + " trials");
      }
    }
    return gaps;
  }

  private static List<Rank> places(
      Map<String, Map<String, Trials>> configurations, Map<String, List<String>> gaps) {
    Map<String, Double> medians = new LinkedHashMap<>();
    configurations.forEach((name, own) -> {
      if (of(gaps, name).isEmpty()) {
        medians.put(name, Estimate.of(Overall.perTrial(speeds(own))).median());
      }
    });
    List<String> ranked = new ArrayList<>(medians.keySet());
    ranked.sort(Comparator.comparingDouble((String name) -> of(medians, name)).reversed());
    List<Rank> places = new ArrayList<>();
    for (String name : ranked) {
      String first = ranked.getFirst();
      // of two that have all phases there is always something to compare
      Verdict verdict =
          name.equals(first)
              ? null
              : Objects.requireNonNull(against(of(configurations, name), of(configurations, first)))
                  .verdict();
      places.add(new Rank(name, of(medians, name) / of(medians, first), verdict));
    }
    return places;
  }

  private static String unranked(
      Map<String, Map<String, Trials>> configurations,
      Map<String, List<String>> gaps,
      List<Rank> places) {
    if (gaps.isEmpty()) {
      return "";
    }
    if (gaps.size() > COMPARED) {
      return " Not ranked, for want of phases: " + String.join("; ", gaps.keySet()) + ".";
    }
    List<String> parts = new ArrayList<>();
    gaps.forEach((name, missing) -> {
      String part = name + " (" + String.join(", ", missing) + ")";
      if (!places.isEmpty()) {
        String first = places.getFirst().configuration();
        Overall overall = against(of(configurations, name), of(configurations, first));
        if (overall != null && overall.phases() > 1) {
          part += ", against " + first + " " + overall.words();
        }
      }
      parts.add(part);
    });
    return " Not ranked: " + String.join("; ", parts) + ".";
  }

  private static @Nullable Overall against(Map<String, Trials> own, Map<String, Trials> other) {
    // a trial's seed is that of all its phases, so that any one tells
    boolean paired =
        own.keySet().stream()
            .anyMatch(
                phase -> other.containsKey(phase) && of(own, phase).pairsWith(of(other, phase)));
    return Overall.of(speeds(own), speeds(other), paired);
  }

  private static Map<String, Map<Integer, Double>> speeds(Map<String, Trials> own) {
    Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
    own.forEach((phase, trials) -> speeds.put(phase, trials.speeds()));
    return speeds;
  }

  private static <T> T of(Map<String, T> map, String name) {
    return Objects.requireNonNull(map.get(name));
  }

  /** What it is of: {@code overall (geometric mean of 5 phases)}. */
  public String label() {
    return "overall (geometric mean of " + phases + " phases)";
  }

  /** The place of a configuration, or {@code null} if it has none. */
  public @Nullable Rank place(String configuration) {
    return places.stream()
        .filter(each -> each.configuration().equals(configuration))
        .findFirst()
        .orElse(null);
  }

  /** Whether the first was shown to be faster than every other one. */
  public boolean decided() {
    return places.size() > 1
        && places.stream().skip(1).allMatch(place -> place.verdict() instanceof Verdict.Slower);
  }
}

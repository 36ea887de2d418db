package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Overall;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
record OverallRanking(int phases, List<Rank> places, String sentence) implements Ranking {
  /** Of more without all phases only the names are given. */
  private static final int COMPARED = 3;

  record Rank(String configuration, double relative, @Nullable Verdict verdict) implements Place {
    @Override
    public String text() {
      return Units.percent(relative);
    }

    @Override
    public String said() {
      return verdict == null ? "" : text() + " as fast";
    }

    @Override
    public List<String> notes(Ranking within) {
      // the sentence above says the rest, which would make this the widest column
      boolean open = verdict instanceof Verdict.NoDifference;
      return List.of("of best", open ? "no difference shown" : within.words(this));
    }
  }

  /** One configuration's trials of the phases that count, and what it lacks of them. */
  private record Member(String name, List<Trials> figures, List<String> gaps) {
    double median() {
      return Estimate.of(Overall.perTrial(speeds(figures))).median();
    }

    @Nullable Overall against(Member other) {
      return overall(figures, other.figures);
    }
  }

  /**
   * Ranks the configurations of a group.
   *
   * @param figures phase → trials by the phase's measure; none empty
   * @return {@code null} if there are fewer than two phases or two configurations
   */
  static @Nullable OverallRanking of(Map<String, List<Trials>> figures) {
    Map<String, List<Trials>> configurations = new LinkedHashMap<>();
    List<String> phases = new ArrayList<>();
    List<String> paced = new ArrayList<>();
    figures.forEach((phase, trials) -> {
      if (trials.stream().anyMatch(Trials::atFixedRate)) {
        paced.add(phase);
      } else if (trials.stream().allMatch(Trials::counts)) {
        phases.add(phase);
        for (Trials own : trials) {
          String name = own.configuration().name();
          configurations.computeIfAbsent(name, _ -> new ArrayList<>()).add(own);
        }
      }
    });
    if (phases.size() < 2 || configurations.size() < 2) {
      return null;
    }
    List<Member> ranked = new ArrayList<>();
    List<Member> others = new ArrayList<>();
    configurations.forEach((name, own) -> {
      Member member = new Member(name, own, gaps(own, phases));
      (member.gaps.isEmpty() ? ranked : others).add(member);
    });
    ranked.sort(Comparator.comparingDouble(Member::median).reversed());
    List<Rank> places = places(ranked);
    Member best = ranked.isEmpty() ? null : ranked.getFirst();
    String left = " Not counted, at a fixed rate: " + String.join(", ", paced) + ".";
    String sentence = Sentence.of(places) + unranked(others, best) + (paced.isEmpty() ? "" : left);
    return new OverallRanking(phases.size(), places, sentence);
  }

  private static List<String> gaps(List<Trials> own, List<String> phases) {
    Set<Integer> numbers = new TreeSet<>();
    own.forEach(trials -> numbers.addAll(trials.byNumber().keySet()));
    List<String> gaps = new ArrayList<>();
    for (String phase : phases) {
      int known =
          own.stream()
              .filter(each -> each.phase().equals(phase))
              .mapToInt(each -> each.byNumber().size())
              .sum();
      if (known == 0) {
        gaps.add("no " + phase);
      } else if (known < numbers.size()) {
        gaps.add(phase + " in " + known + " of " + numbers.size() + " trials");
      }
    }
    return gaps;
  }

  private static List<Rank> places(List<Member> ranked) {
    List<Rank> places = new ArrayList<>();
    for (Member own : ranked) {
      Member first = ranked.getFirst();
      // of two that have all phases there is always something to compare
      Verdict verdict =
          places.isEmpty() ? null : Objects.requireNonNull(own.against(first)).verdict();
      places.add(new Rank(own.name, own.median() / first.median(), verdict));
    }
    return List.copyOf(places);
  }

  private static String unranked(List<Member> others, @Nullable Member first) {
    if (others.isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    for (Member own : others) {
      String part = own.name;
      if (others.size() <= COMPARED) {
        Overall overall = first == null ? null : own.against(first);
        part += " (" + String.join(", ", own.gaps) + ")";
        if (first != null && overall != null && overall.phases() > 1) {
          part += ", against " + first.name + " " + overall.words();
        }
      }
      parts.add(part);
    }
    String why = others.size() > COMPARED ? ", for want of phases" : "";
    return " Not ranked" + why + ": " + String.join("; ", parts) + ".";
  }

  /**
   * One side against the other over the phases that both have, {@code null} if there is none. A
   * trial's seed is that of all its phases, so that any one tells whether trials are paired.
   */
  static @Nullable Overall overall(List<Trials> own, List<Trials> other) {
    Map<String, Trials> theirs = new LinkedHashMap<>();
    other.forEach(each -> theirs.put(each.phase(), each));
    boolean paired = own.stream().anyMatch(each -> pairs(each, theirs.get(each.phase())));
    return Overall.of(speeds(own), speeds(other), paired);
  }

  private static boolean pairs(Trials own, @Nullable Trials other) {
    return other != null && own.pairsWith(other);
  }

  private static Map<String, Map<Integer, Double>> speeds(List<Trials> own) {
    Map<String, Map<Integer, Double>> speeds = new LinkedHashMap<>();
    own.forEach(each -> speeds.put(each.phase(), each.speeds()));
    return speeds;
  }

  /** What it is of: {@code overall (geometric mean of 5 phases)}. */
  String label() {
    return "overall (geometric mean of " + phases + " phases)";
  }

  @Override
  public String phase() {
    return "overall";
  }

  @Override
  public List<Rank> standings() {
    return places;
  }
}

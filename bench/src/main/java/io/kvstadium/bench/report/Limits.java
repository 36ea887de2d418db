package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Block.Term;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says who kept a limit such as {@code p99 < 2ms}, and at what rate. */
final class Limits {
  /** Longer lists are cut. */
  private static final int NAMED = 3;

  private static final String NOBODY = "none";

  /**
   * One configuration at one phase.
   *
   * @param rate operations per second: the rate asked for, or in a search the highest that held
   * @param held in how many trials it held
   */
  private record Kept(String name, double rate, int held, int trials, boolean search) {
    boolean always() {
      return search ? rate > 0 : held == trials;
    }
  }

  private Limits() {}

  /** What to say about each limit; empty if there is none. */
  static List<Term> of(List<ConfigurationResult> configurations) {
    Map<String, Map<String, List<Kept>>> limits = new LinkedHashMap<>();
    for (String phase : phases(configurations)) {
      for (ConfigurationResult own : configurations) {
        List<Pace> paces =
            Trials.of(own, phase).each(PhaseResult::pace).stream()
                .filter(pace -> pace.limit() != null)
                .toList();
        String limit = paces.isEmpty() ? null : paces.getFirst().limit();
        if (limit != null) {
          limits
              .computeIfAbsent(limit, _ -> new LinkedHashMap<>())
              .computeIfAbsent(phase, _ -> new ArrayList<>())
              .add(kept(own.name(), paces));
        }
      }
    }
    List<Term> terms = new ArrayList<>();
    limits.forEach((limit, of) -> terms.add(new Term(limit, sentence(of))));
    return terms;
  }

  /** All phases at a rate, in their order. */
  private static Set<String> phases(List<ConfigurationResult> configurations) {
    Set<String> phases = new LinkedHashSet<>();
    for (ConfigurationResult own : configurations) {
      for (TrialResult trial : Trials.good(own)) {
        trial.phases().stream()
            .filter(phase -> phase.pace() != null)
            .forEach(phase -> phases.add(phase.name()));
      }
    }
    return phases;
  }

  private static Kept kept(String name, List<Pace> paces) {
    return new Kept(
        name,
        Trials.median(paces.stream().mapToDouble(Pace::rate)),
        (int) paces.stream().filter(Pace::held).count(),
        paces.size(),
        paces.stream().anyMatch(pace -> !pace.tries().isEmpty()));
  }

  private static String sentence(Map<String, List<Kept>> phases) {
    Map<String, List<String>> answers = new LinkedHashMap<>();
    phases.forEach((phase, all) -> {
      boolean search = all.getFirst().search;
      String rate = Units.rate(Trials.median(all.stream().mapToDouble(Kept::rate)));
      boolean told = search || phase.contains("/s");
      answers
          .computeIfAbsent(search ? highest(all) : who(all), _ -> new ArrayList<>())
          .add(told ? phase : phase + " (" + rate + ")");
    });
    if (answers.keySet().equals(Set.of(NOBODY))) {
      return "kept by none.";
    }
    List<String> parts = new ArrayList<>();
    answers.forEach((who, at) -> {
      boolean every = answers.size() == 1 && at.size() > 1;
      parts.add((every ? "at every rate" : "at " + String.join(", ", at)) + " by " + who);
    });
    return "kept " + String.join("; ", parts) + ".";
  }

  private static String who(List<Kept> all) {
    List<String> kept = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Kept own : all) {
      boolean partly = !own.always() && own.held > 0;
      String part = partly ? " (in " + own.held + " of " + own.trials + " trials)" : "";
      (own.always() ? kept : others).add(own.name + part);
    }
    if (kept.isEmpty()) {
      boolean partly = all.stream().anyMatch(own -> own.held > 0);
      return partly ? "none in all trials" : NOBODY;
    }
    if (others.isEmpty()) {
      return all.size() == 1 ? kept.getFirst() : "all";
    }
    return others.size() < kept.size() && others.size() <= NAMED
        ? "all but " + names(others)
        : names(kept);
  }

  private static String names(List<String> names) {
    return names.size() > 2 * NAMED
        ? names.size() + " (" + names.getFirst() + " and others)"
        : String.join(", ", names);
  }

  /** For a search, which rate each reached. */
  private static String highest(List<Kept> all) {
    List<Kept> kept =
        all.stream()
            .filter(Kept::always)
            .sorted(Comparator.comparingDouble(Kept::rate).reversed())
            .toList();
    if (kept.isEmpty()) {
      return NOBODY;
    }
    List<String> parts = new ArrayList<>();
    kept.stream()
        .limit(NAMED)
        .forEach(own -> parts.add(own.name + " up to " + Units.rate(own.rate)));
    int more = kept.size() - parts.size();
    return String.join(", ", parts) + (more > 0 ? " and " + more + " more" : "");
  }
}

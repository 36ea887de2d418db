package io.kvstadium.advise;

import io.kvstadium.advise.Advice.Basis;
import io.kvstadium.advise.Advice.Flip;
import io.kvstadium.advise.Advice.Gain;
import io.kvstadium.advise.Advice.Row;
import io.kvstadium.bench.stats.Families;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which of the last few to take, by the worst of what they were measured with. */
final class Choice {
  private final Map<String, Map<String, Map<Integer, Figures>>> trials;
  private final Map<String, Candidate> candidates;
  private final @Nullable String current;
  private final Needs needs;
  private final Families families;
  private final Map<String, Figures> typical = new LinkedHashMap<>();
  private final Map<String, Double> scores = new LinkedHashMap<>();

  /**
   * @param trials by experiment, configuration and number
   * @param candidates those of them that can be taken, by name
   * @param current the configuration in use, or {@code null}
   */
  Choice(
      Map<String, Map<String, Map<Integer, Figures>>> trials,
      Map<String, Candidate> candidates,
      @Nullable String current,
      Needs needs) {
    this.trials = trials;
    this.candidates = candidates;
    this.current = current;
    this.needs = needs;
    Map<String, Map<String, Map<Integer, Double>>> speeds = new LinkedHashMap<>();
    Map<String, List<Figures>> all = new LinkedHashMap<>();
    trials.forEach((experiment, own) ->
        own.forEach((name, figures) -> {
          figures.forEach((number, each) -> {
            all.computeIfAbsent(name, _ -> new ArrayList<>()).add(each);
            if (each.failure() == null && each.speed() > 0) {
              speeds
                  .computeIfAbsent(experiment, _ -> new LinkedHashMap<>())
                  .computeIfAbsent(name, _ -> new LinkedHashMap<>())
                  .put(number, each.speed());
            }
          });
        }));
    this.families = Families.of(speeds, Set.of());
    all.forEach((name, figures) -> typical.put(name, typical(name, figures)));
    typical.forEach((name, figures) -> scores.put(name, score(name, speeds)));
  }

  /** The first experiment's figures; all must be kept. */
  private Figures typical(String name, Collection<Figures> figures) {
    Figures failed =
        figures.stream().filter(each -> each.failure() != null).findFirst().orElse(null);
    if (failed != null) {
      return failed;
    }
    Figures worst = null;
    for (Map<String, Map<Integer, Figures>> own : trials.values()) {
      Figures here = Figures.typical(own.getOrDefault(name, Map.of()).values());
      if (worst == null) {
        worst = here;
      } else if (!here.kept() || here.tailNanos() > worst.tailNanos()) {
        worst =
            new Figures(
                worst.speed(),
                worst.rate(),
                Math.max(worst.tailNanos(), here.tailNanos()),
                worst.kept() && here.kept(),
                worst.memory(),
                worst.disk(),
                worst.written(),
                null);
      }
    }
    return Objects.requireNonNull(worst);
  }

  /** The least of its speeds as parts of the best speed in the same experiment. */
  private static double score(String name, Map<String, Map<String, Map<Integer, Double>>> speeds) {
    double score = Double.POSITIVE_INFINITY;
    for (Map<String, Map<Integer, Double>> own : speeds.values()) {
      double best = own.values().stream().mapToDouble(Choice::mean).max().orElse(1);
      Map<Integer, Double> its = own.get(name);
      score = Math.min(score, its == null ? 0 : mean(its) / best);
    }
    return score == Double.POSITIVE_INFINITY ? 0 : score;
  }

  private static double mean(Map<Integer, Double> speeds) {
    return Math.exp(speeds.values().stream().mapToDouble(Math::log).average().orElse(0));
  }

  /** Its figures over all trials, or {@code null} if it has none. */
  @Nullable Figures figures(String name) {
    return typical.get(name);
  }

  /** The best first. */
  List<String> order() {
    return typical.keySet().stream()
        .sorted(Comparator.comparingDouble(name -> -scores.getOrDefault(name, 0.0)))
        .toList();
  }

  private boolean meets(String name) {
    Figures own = typical.get(name);
    return own != null && own.meets(needs, 1);
  }

  /**
   * The one to take, or {@code null} if none meets the needs. What is in use, unless another one is
   * shown to be better in all experiments.
   */
  @Nullable String pick() {
    String best = best(this::meets);
    boolean stays =
        best != null
            && current != null
            && meets(current)
            && (best.equals(current) || !gain(best, current).shown());
    return stays ? current : best;
  }

  private @Nullable String best(Predicate<String> fits) {
    List<String> able = order().stream().filter(fits).toList();
    if (able.isEmpty()) {
      return null;
    }
    String best = able.getFirst();
    return able.stream()
        .filter(each -> sameEngine(each, best))
        .filter(each -> !gain(best, each).shown())
        .min(Comparator.comparingInt(this::settings))
        .orElse(best);
  }

  /**
   * The one that may be better than another by more than a tie, as far as its trials can tell: the
   * best of them, or {@code null} if there is none.
   */
  @Nullable String rival(String own) {
    return order().stream()
        .filter(each -> !each.equals(own) && meets(each))
        .filter(each ->
            trials.keySet().stream()
                .allMatch(experiment -> families.of(experiment).verdict(each, own).mayBeFaster()))
        .findFirst()
        .orElse(null);
  }

  private boolean sameEngine(String name, String other) {
    Candidate own = candidates.get(name);
    Candidate its = candidates.get(other);
    return name.equals(other)
        || (own != null && its != null && own.engine().name().equals(its.engine().name()));
  }

  private int settings(String name) {
    Candidate own = candidates.get(name);
    return own == null ? 0 : own.settings().size();
  }

  /** How much faster one is than another where it gains least. */
  Gain gain(String own, String other) {
    Gain least = null;
    boolean shown = true;
    for (String experiment : trials.keySet()) {
      Gain here = gainIn(experiment, own, other);
      shown &= here.shown();
      least = least == null || isLess(here.ratio(), least.ratio()) ? here : least;
    }
    return least == null
        ? Gain.of(other, Double.NaN, null, "", false)
        : new Gain(
            other,
            least.ratio(),
            least.low(),
            least.high(),
            trials.size() == 1 ? "" : least.where(),
            shown);
  }

  /** What is not known may be anything. */
  private static boolean isLess(@Nullable Double ratio, @Nullable Double other) {
    return ratio == null || (other != null && ratio < other);
  }

  /** How much faster one is than another in an experiment. */
  Gain gainIn(String experiment, String own, String other) {
    Verdict verdict = families.of(experiment).verdict(own, other);
    Interval slower = verdict.reach();
    boolean faster = verdict instanceof Verdict.Faster;
    return slower != null
        ? Gain.of(other, 1 / verdict.slowness(), slower.reciprocal(), experiment, faster)
        : Gain.of(other, ratio(experiment, own, other), null, experiment, false);
  }

  private double ratio(String experiment, String own, String other) {
    Map<String, Map<Integer, Figures>> here = trials.getOrDefault(experiment, Map.of());
    Map<Integer, Figures> a = here.getOrDefault(own, Map.of());
    Map<Integer, Figures> b = here.getOrDefault(other, Map.of());
    return a.isEmpty() || b.isEmpty()
        ? Double.NaN
        : Figures.typical(a.values()).speed() / Figures.typical(b.values()).speed();
  }

  /** The fastest in one experiment, of those that meet the needs. */
  @Nullable String bestIn(String experiment) {
    Map<String, Map<Integer, Figures>> here = trials.getOrDefault(experiment, Map.of());
    return here.keySet().stream()
        .filter(this::meets)
        .max(
            Comparator.comparingDouble(
                name -> Figures.typical(here.getOrDefault(name, Map.of()).values()).speed()))
        .orElse(null);
  }

  /** Whether any experiment alone would lead to another answer. */
  List<Flip> flips(String pick) {
    List<Flip> flips = new ArrayList<>();
    trials.keySet().stream()
        .skip(1)
        .forEach(experiment -> {
          String first = bestIn(experiment);
          String answer =
              first == null || first.equals(pick)
                  ? "the same"
                  : first + ", " + gainIn(experiment, first, pick).words();
          flips.add(new Flip(experiment + ", alone", answer, Basis.MEASURED));
        });
    return flips;
  }

  /** The figures of all, the best first. */
  List<Row> front() {
    return order().stream()
        .map(name -> {
          Figures own = Objects.requireNonNull(typical.get(name));
          return new Row(
              name,
              own.failure() == null ? Advice.known(own.rate()) : null,
              needs.level(),
              Advice.known(own.tailNanos()),
              own.memory() < 0 ? null : own.memory(),
              own.disk() < 0 ? null : own.disk(),
              Advice.known(own.written()),
              meets(name));
        })
        .toList();
  }

  /** How many trials the most tried one had of the first experiment. */
  int rounds() {
    return trials.values().stream()
        .findFirst()
        .map(own -> own.values().stream().mapToInt(Map::size).max().orElse(0))
        .orElse(0);
  }

  /** If nothing meets the needs: which to give up, and what is possible without it. */
  List<String> giveUp() {
    List<String> ways = new ArrayList<>();
    boolean disk = needs.disk() > 0;
    String limit = needs.limit() == null ? "rate" : "limit " + needs.limit();
    String slower = best(name -> fits(name, disk));
    if (slower != null && !meets(slower)) {
      Figures own = Objects.requireNonNull(typical.get(slower));
      ways.add(
          "the %s: %s has %s %s"
              .formatted(limit, slower, Units.level(needs.level()), Units.time(own.tailNanos())));
    }
    if (disk) {
      typical.entrySet().stream()
          .filter(each -> each.getValue().failure() == null && each.getValue().kept())
          .min(Comparator.comparingLong(each -> each.getValue().disk()))
          .ifPresent(each ->
              ways.add(
                  "the disk: %s takes %s"
                      .formatted(each.getKey(), Units.bytes(each.getValue().disk()))));
    }
    String neither = ways.isEmpty() ? best(name -> fits(name, false)) : null;
    if (neither != null) {
      Figures own = Objects.requireNonNull(typical.get(neither));
      ways.add(
          "both the %s and the disk: %s has %s %s and takes %s"
              .formatted(
                  limit,
                  neither,
                  Units.level(needs.level()),
                  Units.time(own.tailNanos()),
                  Units.bytes(own.disk())));
    }
    return ways;
  }

  private boolean fits(String name, boolean disk) {
    Figures own = typical.get(name);
    return own != null && own.failure() == null && (!disk || own.disk() <= needs.disk());
  }
}

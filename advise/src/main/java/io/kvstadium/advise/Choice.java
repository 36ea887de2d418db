package io.kvstadium.advise;

import io.kvstadium.advise.Advice.Basis;
import io.kvstadium.advise.Advice.Flip;
import io.kvstadium.advise.Advice.Gain;
import io.kvstadium.advise.Advice.Row;
import io.kvstadium.bench.result.Figure;
import io.kvstadium.bench.result.Figures;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import io.kvstadium.bench.text.Unit;
import io.kvstadium.bench.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which of the last few to take, by the worst of what they were measured with. */
final class Choice {
  /** What a reader is shown besides times. */
  private static final List<Figure> COSTS = List.of(Figures.MEMORY, Figures.DISK, Figures.WRITTEN);

  private final Map<String, Measured> experiments;
  private final Map<String, Candidate> candidates;
  private final @Nullable String current;
  private final Needs needs;
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();
  private final Map<String, Double> scores = new LinkedHashMap<>();

  /**
   * @param experiments by name
   * @param candidates configurations that can be taken, by name
   * @param current the configuration in use, or {@code null}
   */
  Choice(
      Map<String, Measured> experiments,
      Map<String, Candidate> candidates,
      @Nullable String current,
      Needs needs) {
    this.experiments = experiments;
    this.candidates = candidates;
    this.current = current;
    this.needs = needs;
    Outcome none = Outcome.failed("nothing was measured");
    for (Measured each : experiments.values()) {
      for (String name : each.outcomes().keySet()) {
        outcomes.computeIfAbsent(
            name,
            _ ->
                experiments.values().stream()
                    .map(own -> own.outcomes().getOrDefault(name, none))
                    .reduce(Outcome::with)
                    .orElse(none));
      }
    }
    outcomes.keySet().forEach(name -> scores.put(name, score(name)));
  }

  /** The lowest of its speeds as shares of the best speed in the same experiment. */
  private double score(String name) {
    double score = Double.POSITIVE_INFINITY;
    for (Measured each : experiments.values()) {
      double best = each.outcomes().values().stream().mapToDouble(Outcome::speed).max().orElse(0);
      Outcome own = each.outcomes().get(name);
      if (best > 0) {
        score = Math.min(score, own == null ? 0 : own.speed() / best);
      }
    }
    return score == Double.POSITIVE_INFINITY ? 0 : score;
  }

  /** Whether it has trials, none of which failed. */
  boolean ran(String name) {
    Outcome own = outcomes.get(name);
    return own != null && own.failure() == null;
  }

  /** The best first. */
  List<String> order() {
    return outcomes.keySet().stream()
        .sorted(Comparator.comparingDouble(name -> -scores.getOrDefault(name, 0.0)))
        .toList();
  }

  private boolean meets(String name) {
    Outcome own = outcomes.get(name);
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
            experiments.values().stream()
                .allMatch(experiment -> experiment.family().verdict(each, own).mayBeFaster()))
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
    Gain lowest = null;
    boolean shown = true;
    for (String experiment : experiments.keySet()) {
      Gain here = gainIn(experiment, own, other);
      shown &= here.shown();
      lowest = lowest == null || isLess(here.ratio(), lowest.ratio()) ? here : lowest;
    }
    return lowest == null
        ? Gain.of(other, Double.NaN, null, "", false)
        : new Gain(
            other,
            lowest.ratio(),
            lowest.low(),
            lowest.high(),
            experiments.size() == 1 ? "" : lowest.where(),
            shown);
  }

  /** What is not known may be anything. */
  private static boolean isLess(@Nullable Double ratio, @Nullable Double other) {
    return ratio == null || (other != null && ratio < other);
  }

  /** How much faster one is than another in an experiment. */
  Gain gainIn(String experiment, String own, String other) {
    Measured here = experiments.get(experiment);
    if (here == null) {
      return Gain.of(other, Double.NaN, null, experiment, false);
    }
    Verdict verdict = here.family().verdict(own, other);
    Interval slower = verdict.reach();
    boolean faster = verdict instanceof Verdict.Faster;
    return slower != null
        ? Gain.of(other, 1 / verdict.slowness(), slower.reciprocal(), experiment, faster)
        : Gain.of(other, here.speed(own) / here.speed(other), null, experiment, false);
  }

  /** The fastest in one experiment, of those that meet the needs. */
  private @Nullable String bestIn(Measured experiment) {
    return experiment.outcomes().keySet().stream()
        .filter(this::meets)
        .max(Comparator.comparingDouble(experiment::speed))
        .orElse(null);
  }

  /** Whether any experiment alone would lead to another answer. */
  List<Flip> flips(String pick) {
    List<Flip> flips = new ArrayList<>();
    experiments.entrySet().stream()
        .skip(1)
        .forEach(each -> {
          String experiment = each.getKey();
          String first = bestIn(each.getValue());
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
    Figure rate = first() == null ? Figures.RATE : first().rate();
    Figure percentile = Figures.percentile(needs.level());
    return order().stream()
        .map(name -> {
          Outcome own = Objects.requireNonNull(outcomes.get(name));
          Map<Figure, Double> figures = new LinkedHashMap<>();
          figures.put(rate, own.rate());
          figures.put(percentile, own.tailNanos());
          COSTS.forEach(each -> figures.put(each, each.of(own.trials())));
          return new Row(name, figures, meets(name));
        })
        .toList();
  }

  /** What is compared, as its column is called. */
  String comparedBy() {
    return first() == null ? "" : first().compared().head();
  }

  private @Nullable Measured first() {
    return experiments.values().stream().findFirst().orElse(null);
  }

  /** How many trials the most tried one had of the first experiment. */
  int rounds() {
    return first() == null
        ? 0
        : first().outcomes().values().stream()
            .mapToInt(each -> each.speeds().size())
            .max()
            .orElse(0);
  }

  /** If nothing meets the needs: which to give up, and what is possible without it. */
  List<String> giveUp() {
    List<String> ways = new ArrayList<>();
    boolean disk = needs.disk() > 0;
    String limit = needs.limit() == null ? "rate" : "limit " + needs.limit();
    String slower = best(name -> fits(name, disk));
    if (slower != null && !meets(slower)) {
      Outcome own = Objects.requireNonNull(outcomes.get(slower));
      ways.add(
          "the %s: %s has %s %s"
              .formatted(
                  limit, slower, Units.level(needs.level()), Unit.TIME.text(own.tailNanos())));
    }
    if (disk) {
      outcomes.entrySet().stream()
          .filter(each -> each.getValue().failure() == null && each.getValue().meetsTimes())
          .min(Comparator.comparingDouble(each -> each.getValue().disk()))
          .ifPresent(each ->
              ways.add(
                  "the disk: %s takes %s"
                      .formatted(each.getKey(), Unit.BYTES.text(each.getValue().disk()))));
    }
    String neither = ways.isEmpty() ? best(name -> fits(name, false)) : null;
    if (neither != null) {
      Outcome own = Objects.requireNonNull(outcomes.get(neither));
      ways.add(
          "both the %s and the disk: %s has %s %s and takes %s"
              .formatted(
                  limit,
                  neither,
                  Units.level(needs.level()),
                  Unit.TIME.text(own.tailNanos()),
                  Unit.BYTES.text(own.disk())));
    }
    return ways;
  }

  private boolean fits(String name, boolean disk) {
    Outcome own = outcomes.get(name);
    return own != null && own.failure() == null && (!disk || own.meetsDisk(needs, 1));
  }
}

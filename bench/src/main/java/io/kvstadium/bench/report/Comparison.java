package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.stats.Estimate;
import io.kvstadium.bench.stats.Overall;
import io.kvstadium.bench.stats.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What changed from one run to another, for all that both measured.
 *
 * @param lines one for each experiment, configuration and phase that both have figures for
 * @param overall one for each experiment and configuration with two phases or more that count
 * @param differences circumstances that differ: each is another possible cause of a verdict
 * @param missing what only one of the two has
 */
public record Comparison(
    List<Change> lines, List<Total> overall, List<String> differences, List<String> missing) {
  public Comparison {
    lines = List.copyOf(lines);
    overall = List.copyOf(overall);
    differences = List.copyOf(differences);
    missing = List.copyOf(missing);
  }

  /**
   * One configuration's phase in both runs.
   *
   * @param experiment its name
   * @param configuration its name
   * @param phase its name
   * @param single whether it is one operation, so that a time says more than a rate
   * @param before rate in the first run, operations per second
   * @param after rate in the second run
   * @param paired whether trials of equal number saw the same data and were compared with one
   *     another
   * @param verdict on the second against the first
   */
  public record Change(
      String experiment,
      String configuration,
      String phase,
      boolean single,
      Estimate before,
      Estimate after,
      boolean paired,
      Verdict verdict) {
    /** The median of one side in the phase's unit. */
    public String figure(Estimate rate) {
      return single ? Units.time(1e9 / rate.median()) : Units.rate(rate.median());
    }
  }

  /**
   * One configuration over all phases that both runs have figures for in all trials that can be
   * compared, each phase counting alike. {@code open}, {@code close}, bulk loads and phases at a
   * fixed rate do not count, and points of a sweep have no total.
   *
   * @param experiment its name
   * @param configuration its name
   * @param overall the second run against the first
   */
  public record Total(String experiment, String configuration, Overall overall) {}

  /** Whether any phase was shown to be slower than before; totals have no say in it. */
  public boolean anySlower() {
    return lines.stream().anyMatch(line -> line.verdict() instanceof Verdict.Slower);
  }

  /**
   * Compares two runs.
   *
   * @param before the run to compare with
   * @param after the run to judge
   */
  public static Comparison of(Results before, Results after) {
    List<Change> lines = new ArrayList<>();
    List<Total> overall = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> differences = new ArrayList<>(circumstances(before, after));
    for (ExperimentResult old : before.experiments()) {
      ExperimentResult now = experiment(after, old.name());
      if (now == null) {
        missing.add(old.name() + " is only in the first");
        continue;
      }
      differ(differences, old.name() + ": data", old.data(), now.data());
      differ(differences, old.name() + ": limit of memory", old.memoryBytes(), now.memoryBytes());
      for (ConfigurationResult own : old.configurations()) {
        ConfigurationResult other = configuration(now, own.name());
        if (other == null) {
          missing.add(old.name() + ", " + own.name() + " is only in the first");
        } else {
          differences.addAll(settings(old.name(), own, other));
          compare(old.name(), own, other, lines, missing);
          Overall total = old.point() == null ? overall(own, other) : null;
          if (total != null && total.phases() > 1) {
            overall.add(new Total(old.name(), own.name(), total));
          }
        }
      }
      for (ConfigurationResult own : now.configurations()) {
        if (configuration(old, own.name()) == null) {
          missing.add(now.name() + ", " + own.name() + " is only in the second");
        }
      }
    }
    for (ExperimentResult now : after.experiments()) {
      if (experiment(before, now.name()) == null) {
        missing.add(now.name() + " is only in the second");
      }
    }
    return new Comparison(lines, overall, differences, missing);
  }

  private static void compare(
      String experiment,
      ConfigurationResult old,
      ConfigurationResult now,
      List<Change> lines,
      List<String> missing) {
    for (String phase : phases(old, now)) {
      Trials before = Trials.of(old, phase);
      Trials after = Trials.of(now, phase);
      if (before.isEmpty() && after.isEmpty()) {
        continue;
      }
      String name = experiment + ", " + old.name() + ", " + phase;
      if (before.isEmpty() || after.isEmpty()) {
        missing.add(name + " has figures only in the " + (after.isEmpty() ? "first" : "second"));
        continue;
      }
      lines.add(
          new Change(
              experiment,
              old.name(),
              phase,
              before.single() && after.single(),
              Estimate.of(before.rates()),
              Estimate.of(after.rates()),
              after.pairsWith(before),
              after.against(before)));
    }
  }

  private static Set<String> phases(ConfigurationResult old, ConfigurationResult now) {
    Set<String> phases = new LinkedHashSet<>();
    old.trials().forEach(trial -> trial.phases().forEach(phase -> phases.add(phase.name())));
    now.trials().forEach(trial -> trial.phases().forEach(phase -> phases.add(phase.name())));
    return phases;
  }

  private static @Nullable Overall overall(ConfigurationResult old, ConfigurationResult now) {
    Map<String, Map<Integer, Double>> before = new LinkedHashMap<>();
    Map<String, Map<Integer, Double>> after = new LinkedHashMap<>();
    boolean paired = true;
    for (String phase : phases(old, now)) {
      Trials a = Trials.of(now, phase);
      Trials b = Trials.of(old, phase);
      if (!a.isEmpty()
          && !b.isEmpty()
          && a.counts()
          && b.counts()
          && !a.atFixedRate()
          && !b.atFixedRate()) {
        after.put(phase, a.speeds());
        before.put(phase, b.speeds());
        paired &= a.pairsWith(b);
      }
    }
    return Overall.of(after, before, paired);
  }

  /** What is different about machine and run, each as {@code cores: 2 → 8}. */
  static List<String> circumstances(Results before, Results after) {
    List<String> list = new ArrayList<>();
    Machine old = before.machine();
    Machine now = after.machine();
    differ(list, "Stadium", before.stadium(), after.stadium());
    differ(list, "processor", old.cpu(), now.cpu());
    differ(list, "cores", old.cores(), now.cores());
    differ(list, "memory", Units.bytes(old.memoryBytes()), Units.bytes(now.memoryBytes()));
    differ(list, "system", old.system(), now.system());
    differ(list, "Java", old.java(), now.java());
    differ(list, "file system", old.fileSystem(), now.fileSystem());
    differ(list, "device", old.device(), now.device());
    differ(list, "seed", before.seed(), after.seed());
    differ(list, "complete run", before.complete(), after.complete());
    return list;
  }

  private static List<String> settings(
      String experiment, ConfigurationResult old, ConfigurationResult now) {
    List<String> list = new ArrayList<>();
    String at = experiment + ", " + old.name() + ": ";
    differ(list, at + "engine", old.engine(), now.engine());
    differ(list, at + "version", old.version(), now.version());
    differ(list, at + "opened", old.url(), now.url());
    differ(list, at + "options", old.options(), now.options());
    differ(list, at + "durability asked", old.durability(), now.durability());
    differ(list, at + "durability in force", old.effective(), now.effective());
    differ(list, at + "settings", old.settings(), now.settings());
    return list;
  }

  /** Notes a difference, if it is one. */
  static void differ(List<String> list, String what, Object old, Object now) {
    if (!Objects.equals(old, now)) {
      list.add(what + ": " + old + " → " + now);
    }
  }

  private static @Nullable ExperimentResult experiment(Results results, String name) {
    return results.experiments().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable ConfigurationResult configuration(
      ExperimentResult experiment, String name) {
    return experiment.configurations().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(null);
  }
}

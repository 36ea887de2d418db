import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Family;
import io.kvstadium.bench.stats.Families;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the verdicts of verdicts.sh runs with the truth, given by the configurations' names. */
final class Verdicts {
  private static final Set<String> NOT = Set.of("create", "open", "close", "bulk load");

  public static void main(String[] args) {
    int families = 0;
    int wrong = 0;
    int intervals = 0;
    int held = 0;
    Map<Double, int[]> found = new LinkedHashMap<>(); // truth → clear, all
    Map<Double, int[]> overall = new LinkedHashMap<>();
    List<Results> runs = new ArrayList<>();
    for (int run = 1; run <= Integer.parseInt(args[1]); run++) {
      runs.add(ResultsFile.read(Path.of(args[0], Integer.toString(run), "results.json")));
    }
    for (Results results : runs) {
      ExperimentResult experiment = results.experiments().getFirst();
      Map<String, Map<String, Map<Integer, Double>>> speeds = speeds(experiment);
      Families all = Families.of(speeds, Set.of());
      List<String> names =
          experiment.configurations().stream().map(ConfigurationResult::name).toList();
      for (String phase : speeds.keySet()) {
        Family family = all.of(phase);
        boolean any = false;
        for (int i = 0; i < names.size(); i++) {
          for (int j = 0; j < i; j++) {
            double truth = factor(names.get(i)) / factor(names.get(j));
            Verdict verdict = family.verdict(names.get(i), names.get(j));
            int[] count =
                (phase.equals("overall") ? overall : found).computeIfAbsent(truth, _ -> new int[2]);
            count[1]++;
            if (verdict instanceof Verdict.Slower slower) {
              any |= truth <= 1;
              count[0] += truth > 1 ? 1 : 0;
              intervals++;
              held += holds(slower.interval(), measured(runs, phase, names.get(i), names.get(j))) ? 1 : 0;
            } else if (verdict instanceof Verdict.Faster) {
              any = true;
              intervals++;
            }
          }
        }
        families++;
        wrong += any ? 1 : 0;
      }
    }
    System.out.printf("%d families, %d with a difference that does not exist%n", families, wrong);
    found.forEach((truth, count) -> {
      if (truth > 1) {
        int[] all = overall.get(truth);
        System.out.printf(
            "×%.2f slower: shown %d times of %d in phases, %d of %d overall%n",
            truth, count[0], count[1], all[0], all[1]);
      }
    });
    System.out.printf("intervals of differences: %d of %d contain what all runs together show%n", held, intervals);
  }

  /**
   * How many times slower a configuration is over all trials of all runs: the delay overshoots by a
   * clock read, and the library's own time is not delayed.
   */
  private static double measured(List<Results> runs, String phase, String slow, String fast) {
    double sum = 0;
    int count = 0;
    for (Results each : runs) {
      Map<String, Map<Integer, Double>> own = speeds(each.experiments().getFirst()).get(phase);
      for (Map.Entry<Integer, Double> trial : own.get(slow).entrySet()) {
        if (own.get(fast).containsKey(trial.getKey())) {
          sum += Math.log(own.get(fast).get(trial.getKey()) / trial.getValue());
          count++;
        }
      }
    }
    return Math.exp(sum / count);
  }

  private static boolean holds(Interval interval, double truth) {
    return interval.low() <= truth && truth <= interval.high();
  }

  private static double factor(String name) {
    return Double.parseDouble(name.replaceAll("-.*", ""));
  }

  /** Phase → configuration → trial → operations per second, and over all phases. */
  private static Map<String, Map<String, Map<Integer, Double>>> speeds(ExperimentResult of) {
    Map<String, Map<String, Map<Integer, Double>>> speeds = new LinkedHashMap<>();
    for (ConfigurationResult own : of.configurations()) {
      for (TrialResult trial : own.trials()) {
        double logs = 0;
        int phases = 0;
        for (PhaseResult phase : trial.phases()) {
          if (!NOT.contains(phase.name())) {
            put(speeds, phase.name(), own, trial, phase.rate());
            logs += Math.log(phase.rate());
            phases++;
          }
        }
        put(speeds, "overall", own, trial, Math.exp(logs / phases));
      }
    }
    return speeds;
  }

  private static void put(
      Map<String, Map<String, Map<Integer, Double>>> speeds,
      String phase,
      ConfigurationResult own,
      TrialResult trial,
      double rate) {
    speeds
        .computeIfAbsent(phase, _ -> new LinkedHashMap<>())
        .computeIfAbsent(own.name(), _ -> new LinkedHashMap<>())
        .put(trial.number(), rate);
  }
}

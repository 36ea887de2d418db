import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.stats.Board;
import io.kvstadium.bench.stats.Boards;
import io.kvstadium.bench.stats.Interval;
import io.kvstadium.bench.stats.Verdict;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds the verdicts of runs of verdicts.sh against the truth, which the configurations' names tell. */
final class Verdicts {
  private static final Set<String> NOT = Set.of("create", "open", "close", "bulk load");

  public static void main(String[] args) {
    int boards = 0;
    int wrong = 0;
    int intervals = 0;
    int held = 0;
    Map<Double, int[]> found = new LinkedHashMap<>(); // truth → clear, all
    for (int run = 1; run <= Integer.parseInt(args[2]); run++) {
      Results results = ResultsFile.read(Path.of(args[1], Integer.toString(run), "results.json"));
      ExperimentResult experiment = results.experiments().getFirst();
      Map<String, Map<String, Map<Integer, Double>>> speeds = speeds(experiment);
      Boards all = Boards.of(speeds, Set.of(), false, results.race().looks());
      List<String> names =
          experiment.configurations().stream().map(ConfigurationResult::name).toList();
      for (String phase : speeds.keySet()) {
        Board board = all.of(phase);
        boolean any = false;
        for (int i = 0; i < names.size(); i++) {
          for (int j = 0; j < i; j++) {
            double truth = factor(names.get(i)) / factor(names.get(j));
            Verdict verdict = board.verdict(names.get(i), names.get(j));
            int[] count = found.computeIfAbsent(truth, _ -> new int[2]);
            count[1]++;
            if (verdict instanceof Verdict.Slower slower) {
              any |= truth <= 1;
              count[0] += truth > 1 ? 1 : 0;
              intervals++;
              held += holds(slower.interval(), truth) ? 1 : 0;
            } else if (verdict instanceof Verdict.Faster) {
              any = true;
              intervals++;
            }
          }
        }
        boards++;
        wrong += any ? 1 : 0;
      }
    }
    System.out.printf("%d boards, %d with a difference that is not there%n", boards, wrong);
    found.forEach((truth, count) -> {
      if (truth > 1) {
        System.out.printf("×%.2f slower: shown %d times of %d%n", truth, count[0], count[1]);
      }
    });
    System.out.printf("intervals of differences: %d of %d hold the truth%n", held, intervals);
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

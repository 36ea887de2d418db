package io.kvstadium.bench.report;

import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.store.BadArgumentException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run among others.
 *
 * @param name what it is called here, different from the others' names
 * @param results what it measured
 */
public record NamedRun(String name, Results results) {
  /** Where the user's own data lay, which does not change what they are. */
  private static final String SOURCE = "source";

  /**
   * Makes sure that runs measured the same thing.
   *
   * @throws BadArgumentException if two names are equal, the suites differ, or an experiment had
   *     other data
   */
  static void check(List<NamedRun> runs) {
    NamedRun first = runs.getFirst();
    if (runs.stream().map(NamedRun::name).distinct().count() < runs.size()) {
      throw new BadArgumentException("two runs have the same name: give each another one");
    }
    for (NamedRun run : runs.subList(1, runs.size())) {
      if (!run.results.suite().equals(first.results.suite())) {
        throw new BadArgumentException(
            run.name
                + " is of suite "
                + run.results.suite()
                + " and "
                + first.name
                + " of suite "
                + first.results.suite()
                + ": give runs of one suite");
      }
      for (ExperimentResult experiment : first.results.experiments()) {
        ExperimentResult other = run.experiment(experiment.name());
        if (other != null) {
          checkData(experiment, first, other, run);
        }
      }
    }
  }

  private static void checkData(
      ExperimentResult experiment, NamedRun first, ExperimentResult other, NamedRun run) {
    Map<String, String> here = new LinkedHashMap<>(experiment.data());
    Map<String, String> there = new LinkedHashMap<>(other.data());
    here.remove(SOURCE);
    there.remove(SOURCE);
    // an experiment that nothing of was finished knows nothing of its data
    if (here.isEmpty() || there.isEmpty() || here.equals(there)) {
      return;
    }
    LinkedHashMap<String, String> all = new LinkedHashMap<>(here);
    all.putAll(there);
    String what =
        all.keySet().stream()
            .filter(key -> !Objects.equals(here.get(key), there.get(key)))
            .findFirst()
            .orElse("data");
    throw new BadArgumentException(
        "experiment "
            + experiment.name()
            + " had other data in "
            + run.name
            + " than in "
            + first.name
            + " ("
            + what
            + ": "
            + there.get(what)
            + " and "
            + here.get(what)
            + "): give runs with the same --scale and --data");
  }

  @Nullable ExperimentResult experiment(String wanted) {
    return results.experiments().stream()
        .filter(each -> each.name().equals(wanted))
        .findFirst()
        .orElse(null);
  }
}

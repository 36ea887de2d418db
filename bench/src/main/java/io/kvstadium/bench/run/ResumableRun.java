package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.plan.UserData;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.BadArgumentException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A run that did not complete, as recorded in its directory. */
public final class ResumableRun {
  private final Path directory;
  private final Results results;

  ResumableRun(Path directory, Results results) {
    this.directory = directory;
    this.results = results;
  }

  /**
   * Reads an interrupted run.
   *
   * @param version of this Stadium, which must be that of the run
   * @throws BadArgumentException if there is none, it is complete, or another version began it
   */
  public static ResumableRun read(Path directory, String version) {
    Results results = results(directory, version);
    if (results.complete()) {
      throw new BadArgumentException(
          "the run in "
              + directory
              + " is complete: print it with 'stadium report "
              + directory
              + "', or start a new one");
    }
    return new ResumableRun(directory, results);
  }

  private static Results results(Path directory, String version) {
    Path file = directory.resolve(Runner.RESULTS);
    if (!Files.exists(file)) {
      throw new BadArgumentException(
          "there is no run to resume in "
              + directory
              + ", because it has no "
              + Runner.RESULTS
              + ": give the directory of a run that was interrupted");
    }
    Results results = ResultsFile.read(file);
    if (!results.stadium().equals(version)) {
      throw new BadArgumentException(
          "the run in "
              + directory
              + " was begun by Stadium "
              + results.stadium()
              + ", and this is "
              + version
              + ": resume with that version, or start a new run");
    }
    return results;
  }

  private static Stream<ConfigurationResult> configurations(Results results) {
    return results.experiments().stream().flatMap(each -> each.configurations().stream());
  }

  /** The folders of engines that it used, or {@code null} if they were on the class path. */
  public @Nullable String folders() {
    return results.request().engineFolders();
  }

  /** The languages of its trials. */
  public List<String> languages() {
    return configurations(results).map(each -> each.plan().language()).distinct().toList();
  }

  /** Returns what its user asked for, with the directory where it is now. */
  public Settings settings() {
    return results.request().settings().into(directory);
  }

  /** What is finished. */
  Results results() {
    return results;
  }

  /** Returns how many trials are finished. */
  public int finished(Plan plan) {
    int finished = 0;
    for (int round = 1; round <= plan.rounds(); round++) {
      finished +=
          (int) plan.round(round).stream().filter(each -> Schedule.isThere(each, results)).count();
    }
    return finished;
  }

  /**
   * Returns the plan of the run, made anew.
   *
   * @throws BadArgumentException saying what differs, if the missing trials would not be like the
   *     finished ones
   */
  public Plan plan(Languages languages) {
    requireSameEngines(languages);
    Source source = settings().source();
    UserData data = source == null ? null : UserData.read(source.dataset(), settings().seed());
    if (data != null
        && results.experiments().stream()
            .anyMatch(each -> !each.plan().data().equals(data.shape()))) {
      throw new BadArgumentException(
          "the data in "
              + settings().out().resolve(Settings.DATA)
              + " are not those that the run in "
              + directory
              + " began with: start a new run");
    }
    Plan plan = new Planner(languages, settings()).plan(results.request().suite(), data);
    requireLike(plan, languages);
    return plan;
  }

  private void requireSameEngines(Languages languages) {
    configurations(results)
        .filter(each -> !each.trials().isEmpty())
        .forEach(each -> check(each, languages));
  }

  /**
   * Makes sure that trials of a plan are like the finished ones.
   *
   * @throws BadArgumentException saying what differs
   */
  void requireLike(Plan plan, Languages languages) {
    requireSameEngines(languages);
    Set<String> before = new LinkedHashSet<>();
    for (ExperimentResult each : results.experiments()) {
      each.configurations().stream()
          .filter(own -> own.skipped() == null)
          .forEach(own -> before.add(each.name() + ", " + own.name()));
    }
    Set<String> now = new LinkedHashSet<>();
    for (Experiment each : plan.suite().experiments()) {
      each.configurations().forEach(own -> now.add(each.name() + ", " + own.name()));
    }
    if (!before.equals(now)) {
      throw new BadArgumentException(
          "the run in %s measures %s, and here that would be %s: bring back the engines that it began with, or start a new run"
              .formatted(directory, String.join("; ", before), String.join("; ", now)));
    }
  }

  private void check(ConfigurationResult before, Languages languages) {
    String now = languages.engine(before.plan()).info().version();
    if (!now.equals(before.version())) {
      throw new BadArgumentException(
          "the run in %s measured %s %s, and here is %s: trials of both do not belong in one table; bring the old one back, or start a new run"
              .formatted(directory, before.plan().engine(), before.version(), now));
    }
  }

  /** Returns what has changed since a run began. */
  static List<Finding> changes(Machine began, Machine now) {
    List<Finding> findings = new ArrayList<>();
    for (RecordComponent part : Machine.class.getRecordComponents()) {
      Object before = value(part, began);
      Object after = value(part, now);
      if (!Objects.equals(before, after)) {
        findings.add(
            new Finding(
                Level.WARNING,
                "environment",
                "the run was interrupted and resumed where "
                    + part.getName()
                    + " is "
                    + after
                    + " instead of "
                    + before
                    + ": trials before and after may not be comparable"));
      }
    }
    return findings;
  }

  private static Object value(RecordComponent part, Machine of) {
    try {
      return part.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("record component " + part + " cannot be read", e);
    }
  }
}

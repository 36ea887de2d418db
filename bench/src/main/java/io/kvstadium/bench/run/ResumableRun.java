package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Settings;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.UserData;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.worker.Languages;
import io.kvstadium.store.BadArgumentException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A run that did not complete, as recorded in its directory. */
public final class ResumableRun {
  private final RunRecord run;
  private final Path directory;
  private final @Nullable Results results;
  private final boolean extended;

  private ResumableRun(RunRecord run, Path directory, @Nullable Results results, boolean extended) {
    this.run = run;
    this.directory = directory;
    this.results = results;
    this.extended = extended;
  }

  /**
   * Reads an interrupted run.
   *
   * @param version of this Stadium, which must be that of the run
   * @throws BadArgumentException if there is none, it is complete, or another version began it
   */
  public static ResumableRun read(Path directory, String version) {
    RunRecord run = RunRecord.read(directory, version);
    Path file = directory.resolve(Runner.RESULTS);
    Results results = Files.exists(file) ? ResultsFile.read(file) : null; // else: before any trial
    if (results != null && results.complete()) {
      throw new BadArgumentException(
          "the run in "
              + directory
              + " is complete: add trials to it with --more, print it with 'stadium report "
              + directory
              + "', or start a new one");
    }
    return new ResumableRun(run, directory, results, false);
  }

  /**
   * Reads a completed run, to add trials to it. If that had a budget, those that failed or were far
   * behind get none.
   *
   * @param more trials of each configuration
   * @param version of this Stadium, which must be that of the run
   * @throws BadArgumentException if there is none, it is not complete, or another version made it
   */
  public static ResumableRun extended(Path directory, int more, String version) {
    RunRecord run = RunRecord.read(directory, version);
    Results results = ResultsFile.read(directory.resolve(Runner.RESULTS));
    if (!results.complete()) {
      throw new BadArgumentException(
          "the run in " + directory + " was interrupted: complete it with --resume before --more");
    }
    int last = numbers(results).max().orElse(0);
    return new ResumableRun(
        run.withPlan(run.plan().withTrials(last + more)), directory, results.extended(), true);
  }

  private static IntStream numbers(Results results) {
    return results.experiments().stream()
        .flatMap(each -> each.configurations().stream())
        .flatMap(each -> each.trials().stream())
        .mapToInt(TrialResult::number);
  }

  /** Returns whether trials were added to what its directory says. */
  boolean extended() {
    return extended;
  }

  /** The folders of engines that it used, or {@code null} if they were on the class path. */
  public @Nullable String folders() {
    return run.folders();
  }

  /** Returns the plan of the run. */
  public Plan plan() {
    return run.plan();
  }

  /** Returns what its user asked for, with the directory where it is now. */
  public Settings settings() {
    return run.settings().into(directory);
  }

  /** Returns what is finished, or {@code null} if nothing is. */
  @Nullable Results results() {
    return results;
  }

  /** Returns how many trials are finished, not counting those that come with others. */
  public int finished() {
    Plan plan = run.plan();
    int finished = 0;
    for (int round = 1; round <= plan.rounds(); round++) {
      finished += (int) plan.round(round).stream().filter(this::has).count();
    }
    return finished;
  }

  /** Returns whether a trial is finished. */
  boolean has(PlannedTrial planned) {
    return results != null && Rounds.isThere(planned, results);
  }

  /**
   * Makes sure that the missing trials would be like the finished ones.
   *
   * @throws BadArgumentException saying what differs
   */
  public void check(Languages languages) {
    if (results != null) {
      results.experiments().stream()
          .flatMap(each -> each.configurations().stream())
          .filter(each -> !each.trials().isEmpty())
          .forEach(each -> check(each, languages));
    }
    Source source = settings().source();
    if (source != null) {
      DataSpec shape = UserData.read(source.dataset(), run.settings().seed()).shape();
      if (run.plan().suite().experiments().stream().anyMatch(each -> !each.data().equals(shape))) {
        throw new BadArgumentException(
            "the data in "
                + source.copy()
                + " are not those that the run in "
                + directory
                + " began with: start a new run");
      }
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

  /** Returns what has changed since the run began. */
  List<Finding> changes(Machine now) {
    List<Finding> findings = new ArrayList<>();
    if (results == null) {
      return findings;
    }
    for (RecordComponent part : Machine.class.getRecordComponents()) {
      Object before = value(part, results.machine());
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

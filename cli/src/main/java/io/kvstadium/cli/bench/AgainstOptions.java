package io.kvstadium.cli.bench;

import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.store.BadArgumentException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What a run is compared with: a stored run, or other versions of its engines, which are measured
 * in the same rounds.
 */
final class AgainstOptions {
  private static final String NAME = "--against";

  @Option(
      names = NAME,
      paramLabel = "RUN|DIRS",
      description = {
        "Measures what RUN did and compares the two; where its engines were others than those of"
            + " --engine-path and are still there, both versions in the same rounds. Or DIRS:"
            + " folders with the earlier versions, as in --engine-path."
      })
  private @Nullable String against;

  @Mixin private GateOptions gate;

  private @Nullable NamedRun stored;

  /** Refuses what is wrong with it, and reads the stored run, if that is what it names. */
  void read(boolean resumes) {
    gate.check();
    if (against == null && !resumes && gate.isGiven()) {
      throw new BadArgumentException(
          "--fail-on, --margin and --html are about a change: add "
              + NAME
              + " RUN, or use compare");
    }
    if (against != null && Files.isRegularFile(Reports.file(Path.of(against)))) {
      NamedRun run = Reports.readAll(List.of(Path.of(against))).getFirst();
      List<NamedRun> versions = NamedRun.versions(run.results());
      stored = versions.isEmpty() ? run : new NamedRun(run.name(), versions.getLast().results());
    }
  }

  /** The suite of the stored run, or {@code null}. */
  @Nullable Suite suite() {
    return stored == null ? null : stored.results().request().suite();
  }

  /**
   * The settings of the stored run, if there is one.
   *
   * @param fresh those of a run without options
   * @param hasData whether the user's own data are given
   */
  Settings settings(Settings fresh, boolean hasData) {
    if (stored == null) {
      return fresh;
    }
    Settings before = stored.results().request().settings();
    if (before.source() != null && !hasData) {
      throw new BadArgumentException(
          "%s %s was measured with your own data: give them again, as in %s"
              .formatted(NAME, against, before.command()));
    }
    List<String> measured =
        stored.results().experiments().stream()
            .flatMap(each -> each.configurations().stream())
            .filter(each -> each.skipped() == null)
            .map(each -> each.plan().engine())
            .distinct()
            .toList();
    boolean all =
        stored.results().request().suite().experiments().stream()
            .allMatch(each -> each.configurations().isEmpty());
    return before.with(copy -> {
      copy.engines = before.engines().isEmpty() && all ? measured : before.engines();
      copy.out = fresh.out();
      copy.command = fresh.command();
      copy.source = null;
      copy.before = null;
    });
  }

  /**
   * The settings with the earlier versions of the engines that have one.
   *
   * @throws BadArgumentException if no engine has, and no stored run is there to compare with; or
   *     one that the user named has none
   */
  Settings versions(
      Settings settings,
      List<String> named,
      Suite asked,
      Languages languages,
      Installed installed) {
    String folders = folders();
    if (folders == null) {
      return settings;
    }
    List<Configuration> planned =
        new Planner(languages, settings)
            .plan(asked).suite().experiments().stream()
                .flatMap(each -> each.configurations().stream())
                .filter(each -> each.language().equals(Configuration.JAVA) && !each.hasServer())
                .toList();
    List<String> changed =
        planned.stream()
            .map(Configuration::engine)
            .distinct()
            .filter(each -> !installed.isSame(each, folders))
            .toList();
    List<String> same = named.stream().filter(each -> !changed.contains(each)).toList();
    if (stored != null && (changed.isEmpty() || !same.isEmpty())) {
      return settings; // compared with what is stored
    }
    if (changed.isEmpty() || !same.isEmpty()) {
      throw new BadArgumentException(
          "%s %s: %s the same there as here: name other folders, or other --engines"
              .formatted(
                  NAME,
                  against,
                  changed.isEmpty() ? "all engines of this suite are" : same + " is"));
    }
    System.err.printf(
        "Measured in both versions, in the same rounds: %s%n", String.join(", ", changed));
    return settings.with(copy -> {
      copy.engines = changed;
      copy.before = folders;
    });
  }

  private @Nullable String folders() {
    if (stored != null) {
      String before = stored.results().request().engineFolders();
      return before != null
              && Stream.of(before.split(File.pathSeparator))
                  .map(Path::of)
                  .allMatch(Files::isDirectory)
          ? before
          : null;
    }
    return against == null
        ? null
        : Installed.folders(NAME + " (no results.json is there)", against);
  }

  /**
   * Refuses to run if the gate could not say anything in the end: on another machine, with other
   * phases, or with figures that the stored run, or the suite, does not have.
   */
  void check(Plan plan, Settings settings) {
    if (settings.before() != null) {
      gate.refuseUnknown(plan.suite());
    }
    if (stored == null || settings.before() != null) {
      return;
    }
    Results before = stored.results();
    List<ExperimentResult> experiments = new ArrayList<>();
    for (ExperimentResult each : before.experiments()) {
      plan.suite().experiments().stream()
          .filter(planned -> planned.name().equals(each.name()))
          .map(planned -> planned.withData(each.plan().data()))
          .forEach(planned -> experiments.add(each.withPlan(planned)));
    }
    Results expected =
        before
            .withExperiments(experiments)
            .on(new Environment(existing(settings.out().toAbsolutePath())).machine());
    gate.refuseBlind(List.of(stored, new NamedRun("this run", expected)));
  }

  /** The directory, or the nearest above it that is there. */
  private static Path existing(Path directory) {
    Path parent = directory.getParent();
    return parent == null || Files.isDirectory(directory) ? directory : existing(parent);
  }

  /** What judges a run, or {@code null} if it is not compared. */
  @Nullable ToIntFunction<Results> judge(Settings settings, Format format) {
    NamedRun before = stored;
    if (settings.before() != null) {
      return results -> gate.judge(NamedRun.versions(results), format);
    }
    return before == null
        ? null
        : results -> gate.judge(List.of(before, new NamedRun("now", results)), format);
  }
}

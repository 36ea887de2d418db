package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.report.HtmlProfile;
import io.kvstadium.bench.report.analysis.Profile;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.TrialPlan.Profiling;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which configurations have one more trial, under JFR. */
final class ProfileOption {
  private static final String NAME = "--profile";

  @Option(
      names = NAME,
      paramLabel = "CONFIGURATION[:PHASE]",
      description =
          "Runs one more trial of it under JFR, and writes flame graphs and the hottest frames of its"
              + " phases beside the report. It enters no figure.")
  private List<String> asked = new ArrayList<>();

  /**
   * What is recorded.
   *
   * @param trial of the plan
   * @param phases names of those of its phases
   */
  private record Asked(PlannedTrial trial, List<String> phases) {}

  /**
   * What makes the profiles of a run.
   *
   * @throws BadArgumentException if nothing of that name is measured, or not in Java
   */
  Profiles of(Plan plan) {
    List<Asked> found = asked.stream().map(each -> asked(plan, each)).toList();
    return (runner, out) -> found.stream().map(each -> profile(plan, each, runner, out)).toList();
  }

  /** Makes the profiles of a run that has ended, in its directory, and returns their pages. */
  interface Profiles {
    List<Path> make(Runner runner, Path out);
  }

  private static Asked asked(Plan plan, String text) {
    int colon = text.lastIndexOf(':');
    PlannedTrial trial = trial(plan, text);
    boolean hasPhase = trial == null && colon > 0;
    if (hasPhase) {
      trial = trial(plan, text.substring(0, colon));
    }
    if (trial == null) {
      throw new BadArgumentException(
          "%s %s: no configuration of that name is measured; there are %s"
              .formatted(
                  NAME,
                  text,
                  String.join(
                      ", ",
                      plan.entrants().stream()
                          .map(each -> each.configuration().name())
                          .distinct()
                          .toList())));
    }
    String language = trial.configuration().language();
    if (!language.equals(Configuration.JAVA)) {
      throw new BadArgumentException(
          "%s %s: its trials run in %s, and JFR sees Java alone: watch the player's process meanwhile, as with perf record -g -p PID%s"
              .formatted(
                  NAME, text, language, language.equals("python") ? " or py-spy record" : ""));
    }
    List<String> phases = trial.phases().stream().map(PhaseSpec::name).toList();
    String phase = text.substring(colon + 1);
    if (hasPhase && !phases.contains(phase)) {
      throw new BadArgumentException(
          "%s %s: it has no phase '%s'; there are %s"
              .formatted(NAME, text, phase, String.join(", ", phases)));
    }
    return new Asked(trial, hasPhase ? List.of(phase) : phases);
  }

  private static @Nullable PlannedTrial trial(Plan plan, String name) {
    return plan.round(1).stream()
        .filter(each -> each.configuration().name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static Path profile(Plan plan, Asked asked, Runner runner, Path out) {
    Configuration configuration = asked.trial.configuration();
    Path directory = out.resolve("profile-" + configuration.name().replaceAll("[^\\w.-]+", "-"));
    Launch.prepare(directory);
    Profiling profiling = new Profiling(asked.phases, directory.toAbsolutePath().toString());
    runner.profile(plan, asked.trial, profiling);
    Map<String, Profile> profiles = new LinkedHashMap<>();
    asked.phases.forEach(phase -> profiles.put(phase, Profile.read(profiling.file(phase))));
    Path page = directory.resolve("profile.html");
    String circumstances =
        configuration.url("…")
            + ", one trial under JFR, which enters no figure. The recordings are beside this page."
            + (configuration.hasServer()
                ? " The server's own work is not in it: watch its process, as with perf record."
                : "");
    Reports.write(
        HtmlProfile.render(configuration.name(), circumstances, profiles), page, "the profile");
    return page;
  }
}

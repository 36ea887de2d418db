package io.kvstadium.bench.plan;

import io.kvstadium.bench.plan.Plan.LeftOut;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Aim;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Small suites and settings. */
public final class Suites {
  public static final long HEAP = 64L << 20;
  public static final DataSpec DATA = DataSpec.of(1_000, "uint64", "100");

  private Suites() {}

  public static Suite suite(int trials, double budget, Experiment... experiments) {
    return new Suite("mine", "for tests", trials, budget, HEAP, List.of(experiments));
  }

  public static Experiment experiment(
      String name, List<PhaseSpec> phases, Configuration... configurations) {
    return new Experiment(name, "Which?", null, 0, Aim.NONE, DATA, phases, List.of(configurations));
  }

  /** Returns a plan of what the engines can do, and everything that they cannot. */
  public static Plan plan(Suite suite, double warmUpSeconds, Engines engines, LeftOut... leftOut) {
    return plan(suite, warmUpSeconds, engines, 42, leftOut);
  }

  public static Plan plan(
      Suite suite, double warmUpSeconds, Engines engines, long seed, LeftOut... leftOut) {
    Eligibility eligibility = new Eligibility(Languages.java(engines), null);
    List<PlannedTrial> resolved = new ArrayList<>();
    for (int e = 0; e < suite.experiments().size(); e++) {
      Experiment experiment = suite.experiments().get(e);
      for (Configuration each : experiment.configurations()) {
        Eligibility.Fit fit = fit(eligibility, each, experiment);
        resolved.add(
            new PlannedTrial(
                e,
                each,
                fit.whyNot() == null ? fit.phases() : experiment.phases(),
                fit.missing(),
                0,
                0));
      }
    }
    return new Plan(
        suite, suite, warmUpSeconds, resolved, List.of(leftOut), Set.of(), List.of(), seed);
  }

  static Eligibility.Fit fit(
      Eligibility eligibility, Configuration configuration, Experiment experiment) {
    return eligibility.of(configuration, experiment, experiment.data().keys().length());
  }

  public static Configuration configuration(String engine) {
    return configuration(engine, engine, Access.SINGLE);
  }

  public static Configuration configuration(String name, String engine, Access access) {
    return new Configuration(name, engine, Map.of(), Durability.CONSISTENT, access, "equal");
  }

  public static PhaseSpec phase(Operation operation) {
    return phase(operation, 0, 0);
  }

  public static PhaseSpec phase(Operation operation, long operations, double seconds) {
    return PhaseSpec.of(operation.word(), operation)
        .sized(operations, seconds)
        .withShape(
            operation == Operation.MIXED ? Shape.SINGLE.withMix(Specs.mix(0.95)) : Shape.SINGLE);
  }

  /** The settings of a user who specifies nothing. */
  public static Settings settings(Path out) {
    return Settings.of(out, "stadium bench").with(copy -> copy.seed = 42);
  }

  public static Settings engines(Settings settings, String... names) {
    return settings.with(copy -> copy.engines = List.of(names));
  }

  public static Settings budget(Settings settings, double seconds) {
    return settings.with(copy -> copy.budget = seconds);
  }

  public static Settings with(
      Settings settings,
      List<String> engines,
      int trials,
      double scale,
      @Nullable Durability durability,
      int threads) {
    return settings.with(copy -> {
      copy.engines = engines;
      copy.trials = trials;
      copy.scale = scale;
      copy.durability = durability;
      copy.threads = threads;
    });
  }
}

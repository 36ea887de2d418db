package io.kvstadium.bench.run;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.trial.Source;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.EngineInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Fits a suite to the engines that there are, to the user's wishes, and to the time it may take.
 */
public final class Planner {
  /**
   * Start of a process, opening, checking: what a trial takes beside its warm-up and its phases.
   */
  private static final double FIXED_SECONDS = 1.0;

  private static final double WARM_UP_SECONDS = 1.2;

  /** Below this, a phase is too short to trust, and fewer trials are the smaller evil. */
  private static final double LEAST_PHASE_SECONDS = 0.4;

  private static final int LEAST_TRIALS = 3;

  private final Engines engines;
  private final Settings settings;
  private final TimeEstimate estimate;
  private final Map<String, String> skipped = new LinkedHashMap<>();
  private final Map<String, Map<Configuration, String>> left = new LinkedHashMap<>();
  private final Fitness fitness;

  public Planner(Engines engines, Settings settings) {
    this.engines = engines;
    this.fitness = new Fitness(engines);
    this.settings = settings;
    this.estimate = new TimeEstimate(engines);
  }

  /**
   * Spells out configurations, leaves out what cannot run, and measures the phases.
   *
   * @throws BadArgumentException if nothing is left to run
   */
  public Plan plan(Suite asked) {
    settings.engines().forEach(engines::engine); // refuses unknown names
    Source source = settings.source();
    UserData data = source == null ? null : UserData.read(source, settings.seed());
    List<Experiment> experiments = new ArrayList<>();
    for (Experiment experiment : asked.experiments()) {
      List<Configuration> configurations = configurations(experiment);
      if (!configurations.isEmpty()) {
        experiments.add(
            experiment
                .withConfigurations(configurations)
                .withData(data == null ? scaled(experiment.data()) : data.shape())
                .withPhases(experiment.phases().stream().map(this::adjusted).toList()));
      }
    }
    if (experiments.isEmpty()) {
      throw new BadArgumentException(
          "no engine can run the suite "
              + asked.name()
              + ": "
              + (skipped.isEmpty()
                  ? "none of its configurations uses one of " + settings.engines()
                  : skipped.entrySet().stream()
                      .map(entry -> entry.getKey() + ": " + entry.getValue())
                      .collect(Collectors.joining("; "))));
    }
    Suite suite = asked.withExperiments(experiments);
    return sized(
        settings.trials() > 0 ? suite.withTrials(settings.trials()) : suite,
        data == null ? List.of() : data.findings());
  }

  private List<Configuration> configurations(Experiment experiment) {
    List<Configuration> asked = new ArrayList<>(experiment.configurations());
    if (asked.isEmpty()) {
      for (String name : engines.names()) {
        boolean named = settings.engines().contains(name);
        if (!named && !settings.engines().isEmpty()) {
          continue; // and not loaded for nothing
        }
        EngineInfo info = engines.engine(name).info();
        if (named || info.capabilities().contains(Capability.PERSISTENT)) {
          asked.add(
              new Configuration(
                  info.name(), info.name(), Map.of(), Durability.PROCESS, Access.SINGLE, "equal"));
        }
      }
    }
    List<Configuration> able = new ArrayList<>();
    for (Configuration each : asked) {
      Configuration configuration = each;
      if (settings.durability() != null) {
        String group = experiment.paired() ? each.group() : "equal";
        configuration =
            new Configuration(
                each.name(),
                each.engine(),
                each.options(),
                settings.durability(),
                each.access(),
                group);
      }
      if (!settings.engines().isEmpty() && !settings.engines().contains(configuration.engine())) {
        continue;
      }
      String reason = fitness.whyNot(configuration, experiment, settings.threads());
      if (reason == null) {
        able.add(configuration);
      } else {
        skipped.put(configuration.name(), reason);
        left.computeIfAbsent(experiment.name(), name -> new LinkedHashMap<>())
            .put(configuration, reason);
      }
    }
    return able;
  }

  private DataSpec scaled(DataSpec data) {
    return data.withRecords(Math.max(1, Math.round(data.records() * settings.scale())));
  }

  private PhaseSpec adjusted(PhaseSpec phase) {
    PhaseSpec threaded = settings.threads() > 0 ? phase.withThreads(settings.threads()) : phase;
    long operations = threaded.operations();
    return threaded.sized(
        operations == 0 ? 0 : Math.max(1, Math.round(operations * settings.scale())),
        threaded.seconds());
  }

  private Plan sized(Suite suite, List<Finding> findings) {
    double perPhase = 0;
    int trials = suite.trials();
    if (suite.seconds() > 0) {
      perPhase = secondsPerPhase(suite, trials);
      while (settings.trials() == 0 && perPhase < LEAST_PHASE_SECONDS && trials > LEAST_TRIALS) {
        trials--;
        perPhase = secondsPerPhase(suite, trials);
      }
      perPhase = Math.max(perPhase, LEAST_PHASE_SECONDS / 2);
    }
    List<Experiment> experiments = new ArrayList<>();
    double total = 0;
    for (Experiment experiment : suite.experiments()) {
      double share = perPhase;
      List<PhaseSpec> phases =
          experiment.phases().stream()
              .map(phase -> isOpen(phase) && share > 0 ? phase.sized(0, share) : phase)
              .toList();
      Experiment ready = experiment.withPhases(phases);
      experiments.add(ready);
      total += trials * estimate.seconds(ready, FIXED_SECONDS + WARM_UP_SECONDS);
    }
    return new Plan(
        suite.withTrials(trials).withExperiments(experiments),
        WARM_UP_SECONDS,
        skipped,
        left,
        findings,
        total);
  }

  private double secondsPerPhase(Suite suite, int trials) {
    double fixed = 0;
    double open = 0;
    for (Experiment experiment : suite.experiments()) {
      int runs = trials * experiment.configurations().size();
      fixed += runs * (FIXED_SECONDS + WARM_UP_SECONDS);
      for (PhaseSpec phase : experiment.phases()) {
        if (isOpen(phase)) {
          open += runs * TimeEstimate.WITH_DATA_MAKING;
        } else {
          for (Configuration configuration : experiment.configurations()) {
            fixed += trials * estimate.seconds(configuration, phase, experiment.data().records());
          }
        }
      }
    }
    return open == 0 ? 0 : (suite.seconds() - fixed) / open;
  }

  /** Whether the time that a phase may take is the suite's to give. */
  private static boolean isOpen(PhaseSpec phase) {
    return phase.operations() == 0
        && phase.seconds() == 0
        && phase.operation() != Operation.INSERT
        && phase.operation() != Operation.SCAN_ALL;
  }
}

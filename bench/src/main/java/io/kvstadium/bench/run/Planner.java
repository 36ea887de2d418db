package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.machine.Availability.Unavailable;
import io.kvstadium.bench.machine.ControlGroups;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.trial.Source;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Engines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

  /** Experiments that do not fit onto the disk, with the reason. */
  private final Map<String, String> tooLarge = new LinkedHashMap<>();

  private final Set<Finding> notes = new LinkedHashSet<>();
  private final Fitness fitness;
  private final Room room;
  private final Supplier<Availability> groups;

  public Planner(Engines engines, Settings settings) {
    this(engines, settings, () -> Room.free(settings.out()), ControlGroups::find);
  }

  /**
   * @param freeSpace bytes on the disk that the stores will lie on
   * @param groups whether memory can be limited
   */
  Planner(
      Engines engines, Settings settings, LongSupplier freeSpace, Supplier<Availability> groups) {
    this.groups = groups;
    this.engines = engines;
    this.room = new Room(engines, freeSpace);
    this.fitness = Fitness.in(settings.out(), engines);
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
    for (Experiment each : asked.experiments()) {
      Experiment experiment =
          (data == null ? each.scaled(settings.scale()) : each.withData(data.shape()))
              .withPhases(each.phases().stream().map(this::adjusted).toList())
              .withMemory(settings.memory() > 0 ? settings.memory() : each.memory());
      noteCold(experiment);
      List<Configuration> configurations = configurations(experiment);
      List<Configuration> fitting =
          configurations.stream().filter(configuration -> fits(configuration, experiment)).toList();
      if (!configurations.isEmpty()) { // else nobody would look for it
        experiments.add(experiment.withConfigurations(fitting));
      }
    }
    if (experiments.stream().allMatch(each -> each.configurations().isEmpty())) {
      throw new BadArgumentException(
          "no engine can run the suite "
              + asked.name()
              + ": "
              + (!tooLarge.isEmpty()
                  ? tooLarge.values().iterator().next()
                  : skipped.isEmpty()
                      ? "none of its configurations uses one of " + settings.engines()
                      : skipped.entrySet().stream()
                          .map(entry -> entry.getKey() + ": " + entry.getValue())
                          .collect(Collectors.joining("; "))));
    }
    Suite suite = asked.withExperiments(experiments);
    return sized(
        settings.trials() > 0 ? suite.withTrials(settings.trials()) : suite, findings(data));
  }

  /** A warning, so that {@code --strict} refuses to run without the phases. */
  private void noteCold(Experiment experiment) {
    String reason = fitness.whyNotCold();
    if (reason != null && experiment.phases().stream().anyMatch(PhaseSpec::cold)) {
      notes.add(
          new Finding(
              Level.WARNING,
              "environment",
              "phases that are to begin cold are left out: "
                  + reason
                  + "; use --out with a directory on a disk"));
    }
  }

  private List<Finding> findings(@Nullable UserData data) {
    List<Finding> findings = new ArrayList<>(data == null ? List.of() : data.findings());
    findings.addAll(notes);
    tooLarge.forEach((experiment, reason) ->
        findings.add(new Finding(Level.WARNING, experiment, "is left out: it " + reason)));
    return findings;
  }

  /** Whether the disk has room; if not, that is noted. */
  private boolean fits(Configuration configuration, Experiment experiment) {
    String reason = room.whyNot(configuration, experiment);
    if (reason != null) {
      tooLarge.putIfAbsent(experiment.name(), reason);
      left.computeIfAbsent(experiment.name(), name -> new LinkedHashMap<>())
          .put(configuration, reason);
    }
    return reason == null;
  }

  private List<Configuration> configurations(Experiment experiment) {
    List<Configuration> asked = new ArrayList<>(experiment.configurations());
    if (asked.isEmpty()) {
      for (String name : engines.names()) {
        boolean named = settings.engines().contains(name);
        if (named || settings.engines().isEmpty()) { // another engine is not loaded for nothing
          asked.addAll(usual(engines.engine(name).info(), experiment.paired(), named));
        }
      }
    }
    asked.addAll(added(experiment));
    List<Configuration> able = new ArrayList<>();
    for (Configuration each : asked) {
      Configuration configuration = each;
      if (settings.durability() != null) {
        configuration =
            each.withDurability(settings.durability())
                .inGroup(experiment.paired() ? each.group() : "equal");
      }
      if (!settings.engines().isEmpty() && !settings.engines().contains(configuration.engine())) {
        continue;
      }
      Fitness.Fit fit = fitness.of(configuration, experiment);
      String reason = fit.whyNot() == null ? whyNotLimited(experiment) : fit.whyNot();
      if (reason == null) {
        able.add(configuration);
        for (String note : fit.notes()) {
          notes.add(new Finding(Level.NOTE, configuration.name(), note));
        }
      } else {
        skipped.put(configuration.name(), reason);
        left.computeIfAbsent(experiment.name(), name -> new LinkedHashMap<>())
            .put(configuration, reason);
      }
    }
    return able;
  }

  /** Why there is no such memory limit here; one that the user asks for is refused elsewhere. */
  private @Nullable String whyNotLimited(Experiment experiment) {
    return experiment.memory() > 0
            && settings.memory() == 0
            && groups.get() instanceof Unavailable unavailable
        ? "its trials are to have a memory limit, and "
            + unavailable.reason()
            + ": "
            + unavailable.advice()
        : null;
  }

  /**
   * The engines that the user names and the experiment does not, at the level of those it does
   * name.
   */
  private List<Configuration> added(Experiment experiment) {
    List<Configuration> added = new ArrayList<>();
    Configuration like =
        experiment.configurations().stream()
            .filter(each ->
                each.access() == Access.SINGLE && each.durability() != Durability.ENGINE_DEFAULT)
            .findFirst()
            .orElse(null);
    for (String name : settings.engines()) {
      if (like != null
          && experiment.configurations().stream().noneMatch(each -> each.engine().equals(name))) {
        added.add(
            new Configuration(
                name, name, Map.of(), like.durability(), Access.SINGLE, like.group()));
      }
    }
    return added;
  }

  /**
   * How an engine takes part where an experiment names no configurations. In pairs that is at its
   * weakest level, which keeps the disk out of the comparison.
   */
  private List<Configuration> usual(EngineInfo info, boolean paired, boolean named) {
    String name = info.name();
    if (!paired) {
      return named || info.capabilities().contains(Capability.PERSISTENT)
          ? List.of(
              new Configuration(
                  name, name, Map.of(), Durability.CONSISTENT, Access.SINGLE, "equal"))
          : List.of();
    }
    if (!named
        && (engines.baseline(name) == null
            || !info.capabilities().contains(Capability.PERSISTENT))) {
      return List.of();
    }
    Durability weakest = info.durability().keySet().iterator().next();
    return List.of(
        new Configuration(name + " raw", name, Map.of(), weakest, Access.RAW, name),
        new Configuration(name, name, Map.of(), weakest, Access.SINGLE, name));
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
      total += estimate.pilotSeconds(ready, FIXED_SECONDS + Pilot.WARM_UP_SECONDS);
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
      List<PhaseSpec> before = Pilot.phases(experiment.phases());
      int configurations = experiment.withOwnTrials().size();
      fixed += trials * configurations * (FIXED_SECONDS + WARM_UP_SECONDS);
      if (!before.isEmpty()) {
        fixed += configurations * (FIXED_SECONDS + Pilot.WARM_UP_SECONDS);
      }
      for (PhaseSpec phase : experiment.phases()) {
        int runs = trials + (before.contains(phase) ? 1 : 0);
        if (isOpen(phase)) {
          double beside = phase.rate() == null ? TimeEstimate.WITH_DATA_MAKING : 1;
          open += runs * configurations * beside;
        } else {
          for (Configuration configuration : experiment.withOwnTrials()) {
            fixed += runs * estimate.seconds(configuration, phase, experiment.data());
          }
        }
      }
    }
    return open == 0 ? 0 : (suite.seconds() - fixed) / open;
  }

  /** Whether the time that a phase may take is the suite's to give. */
  private static boolean isOpen(PhaseSpec phase) {
    return phase.operations() == 0 && phase.seconds() == 0 && !phase.operation().whole();
  }
}

package io.kvstadium.bench.plan;

import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.machine.Availability.Unavailable;
import io.kvstadium.bench.machine.ControlGroups;
import io.kvstadium.bench.plan.Plan.LeftOut;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Options;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fits a suite to the available engines and the user's options. */
public final class Planner {
  private static final double WARM_UP_SECONDS = 1.8;

  private final Languages languages;
  private final Settings settings;
  private final List<PlannedTrial> resolved = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private final Set<Finding> notes = new LinkedHashSet<>();
  private final Set<String> legacy = new LinkedHashSet<>();
  private final Eligibility eligibility;
  private final DiskSpaceCheck diskSpace;
  private final Supplier<Availability> groups;
  private final List<Named> wanted; // none: all
  private Map<String, Object> described = Map.of();

  public Planner(Languages languages, Settings settings) {
    this(languages, settings, () -> DiskSpaceCheck.free(settings.out()), ControlGroups::find);
  }

  /**
   * @param freeSpace bytes on the disk that the stores will be on
   * @param groups whether memory can be limited
   */
  Planner(
      Languages languages,
      Settings settings,
      LongSupplier freeSpace,
      Supplier<Availability> groups) {
    this.groups = groups;
    this.languages = languages;
    this.diskSpace = new DiskSpaceCheck(languages, freeSpace.getAsLong());
    this.eligibility = Eligibility.in(settings.out(), languages);
    this.settings = settings;
    this.wanted = settings.engines().stream().distinct().map(Named::of).toList();
  }

  /**
   * Spells out configurations and leaves out what cannot run.
   *
   * @throws BadArgumentException if nothing is left to run
   */
  public Plan plan(Suite asked) {
    Source source = settings.source();
    return plan(asked, source == null ? null : UserData.read(source.dataset(), settings.seed()));
  }

  /**
   * Does the same with data that have been read before.
   *
   * @throws BadArgumentException if nothing is left to run
   */
  public Plan plan(Suite asked, @Nullable UserData data) {
    wanted.forEach(this::check);
    asked.experiments().stream()
        .map(each -> each.aim().current())
        .filter(Objects::nonNull)
        .forEach(each -> languages.requireEngine(each.engine()));
    described = data == null ? Map.of() : data.described();
    List<Experiment> experiments = new ArrayList<>();
    for (Experiment each : asked.experiments()) {
      Experiment experiment =
          (data == null ? each.scaled(settings.scale()) : each.withData(data.shape()))
              .withPhases(atOneLevel(each).stream().map(this::adjusted).toList())
              .withMemory(settings.memory() > 0 ? settings.memory() : each.memory());
      noteCold(experiment);
      resolve(
          experiment,
          data == null ? experiment.data().keys().length() : data.longestKey(),
          experiments);
    }
    if (experiments.stream().allMatch(each -> each.configurations().isEmpty())) {
      throw new BadArgumentException(
          "no engine can run the suite "
              + asked.name()
              + ": "
              + (leftOut.isEmpty()
                  ? "none of its configurations uses one of " + settings.engines()
                  : String.join("; ", LeftOut.lines(leftOut))));
    }
    Suite suite = asked.withExperiments(experiments);
    List<Finding> findings = new ArrayList<>(data == null ? List.of() : data.findings());
    findings.addAll(notes);
    findings.addAll(languages.findings());
    Suite suited =
        settings.trials() > 0
            ? suite.withTrials(settings.trials())
            : settings.budget() > 0 ? suite.withBudget(settings.budget()) : suite;
    return new Plan(
        asked, suited, WARM_UP_SECONDS, resolved, leftOut, legacy, findings, settings.seed());
  }

  /**
   * The phases without those at the level that was asked for, for all: they are the same as their
   * twins, or are at no level of their own.
   */
  private List<PhaseSpec> atOneLevel(Experiment experiment) {
    List<PhaseSpec> phases = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (PhaseSpec each : experiment.phases()) {
      if (each.durability() == null || each.durability() != settings.durability()) {
        phases.add(each);
      } else if (experiment.phases().stream()
          .anyMatch(own ->
              own.durability() == null
                  && own.operation() == each.operation()
                  && own.shape().equals(each.shape()))) {
        same.add(each.name());
      } else {
        phases.add(each.withDurability(null));
      }
    }
    if (!same.isEmpty()) {
      notes.add(
          new Finding(
              Level.NOTE,
              experiment.name(),
              "everything is at durability "
                  + Objects.requireNonNull(settings.durability()).word()
                  + ", so these phases are not measured twice: "
                  + String.join(", ", same)));
    }
    return phases;
  }

  /** Refuses what a user has mistyped; bindings in other languages have options of their own. */
  private void check(Named named) {
    if (named.isUrl() && languages.asked().equals(List.of(Configuration.JAVA))) {
      StoreUrl url = named.url();
      String location = url.location().isEmpty() ? "…" : url.location(); // the trial's own
      languages.java().check(new StoreUrl(named.engine(), location, url.options()).toString());
    } else {
      languages.requireEngine(named.engine());
    }
  }

  /** The shape of the user's own data that was planned for: name → text; empty if there is none. */
  public Map<String, Object> data() {
    return Collections.unmodifiableMap(described);
  }

  /** A warning, so that {@code --strict} refuses to run without the phases. */
  private void noteCold(Experiment experiment) {
    String reason = eligibility.whyNotCold();
    if (reason != null && experiment.phases().stream().anyMatch(PhaseSpec::cold)) {
      notes.add(
          new Finding(
              Level.WARNING,
              "environment",
              "phases that should begin cold are not measured: "
                  + reason
                  + "; measure with --out in a directory on a disk"));
    }
  }

  /**
   * Resolves each configuration of an experiment, or leaves it out.
   *
   * @param experiments receives the experiment, unless none of its configurations could run
   *     anywhere: then nobody would look for it
   */
  private void resolve(Experiment experiment, long longestKey, List<Experiment> experiments) {
    List<Configuration> ready = new ArrayList<>();
    boolean able = false;
    for (Configuration configuration : configurations(experiment)) {
      Eligibility.Fit fit = eligibility.of(configuration, experiment, longestKey);
      String reason = fit.whyNot() == null ? whyNotLimited(experiment) : fit.whyNot();
      able |= reason == null;
      if (reason == null) {
        reason = diskSpace.whyNot(configuration, experiment);
        if (reason != null) {
          notes.add(new Finding(Level.WARNING, experiment.name(), "is not measured: it " + reason));
        }
      }
      if (reason != null) {
        leftOut.add(new LeftOut(experiment.name(), configuration, reason));
        continue;
      }
      ready.add(configuration);
      resolved.add(
          new PlannedTrial(experiments.size(), configuration, fit.phases(), fit.missing(), 0, 0));
      Stream.concat(fit.missing().stream(), fit.notes().stream())
          .forEach(note -> notes.add(new Finding(Level.NOTE, configuration.name(), note)));
    }
    if (able) {
      experiments.add(experiment.withConfigurations(ready));
    }
  }

  /** Returns the requested configurations, spelled out, in each language. */
  private List<Configuration> configurations(Experiment experiment) {
    boolean onlyJava = languages.asked().equals(List.of(Configuration.JAVA));
    return languages.asked().stream()
        .flatMap(language ->
            configurations(experiment, languages.engines(language)).stream()
                .filter(each -> isIn(language, each.engine()))
                .map(each ->
                    onlyJava || !each.language().equals(Configuration.JAVA)
                        ? each
                        : each.in(language)))
        .toList();
  }

  /** Whether a language has an engine, or no requested one does: then that must be said. */
  private boolean isIn(String language, String engine) {
    return languages.engines(language).names().contains(engine)
        || languages.asked().stream()
            .noneMatch(each -> languages.engines(each).names().contains(engine));
  }

  private List<Configuration> configurations(Experiment experiment, Engines engines) {
    List<Configuration> asked = new ArrayList<>();
    if (!experiment.configurations().isEmpty()) {
      experiment.configurations().stream()
          .filter(each -> wanted.isEmpty() || names(each.engine()))
          .forEach(asked::add);
      asked.addAll(added(experiment));
    } else if (wanted.isEmpty()) {
      for (String name : engines.names()) {
        Engine engine = engines.engine(name);
        if (isUsual(engine) && engine.info().legacy()) {
          legacy.add(name);
        } else if (isUsual(engine)) {
          asked.add(usual(Named.of(name)));
        }
      }
      if (!legacy.isEmpty()) {
        notes.add(new Finding(Level.NOTE, experiment.name(), Plan.withoutLegacy(legacy)));
      }
    } else { // other engines are not loaded needlessly
      wanted.stream()
          .sorted(Comparator.comparing(Named::engine))
          .forEach(each -> asked.add(usual(each)));
    }
    Durability level = settings.durability();
    String before = settings.before();
    return asked.stream()
        .map(each -> level == null ? each : each.withDurability(level).inGroup("equal"))
        .flatMap(each -> before == null ? Stream.of(each) : Stream.of(each.earlier(before), each))
        .toList();
  }

  /** Returns whether the user names an engine by its name, not by a URL. */
  private boolean names(String engine) {
    return wanted.stream().anyMatch(each -> each.title().equals(engine));
  }

  /**
   * Returns why the memory limit is not available here; one that the user asks for is refused
   * elsewhere.
   */
  private @Nullable String whyNotLimited(Experiment experiment) {
    return experiment.memory() > 0
            && settings.memory() == 0
            && groups.get() instanceof Unavailable unavailable
        ? "its trials need a memory limit, and "
            + unavailable.reason()
            + ": "
            + unavailable.advice()
        : null;
  }

  /**
   * Returns those that the user names and the experiment does not, at the level of those that it
   * names unless they name another.
   */
  private List<Configuration> added(Experiment experiment) {
    List<Configuration> added = new ArrayList<>();
    Configuration like =
        experiment.configurations().stream()
            .filter(each ->
                each.access() == Access.SINGLE && each.durability() != Durability.ENGINE_DEFAULT)
            .findFirst()
            .orElse(null);
    if (like != null) {
      wanted.stream()
          .filter(each ->
              each.isUrl()
                  || experiment.configurations().stream()
                      .noneMatch(own -> own.engine().equals(each.engine())))
          .map(each -> each.like(like.durability(), Access.SINGLE, like.group()))
          .forEach(added::add);
    }
    return added;
  }

  /**
   * Returns whether an engine that nobody names takes part if an experiment names no
   * configurations: not one whose stores are on a server, because nobody has said on which, or
   * which starts one.
   */
  private static boolean isUsual(Engine engine) {
    EngineInfo info = engine.info();
    return info.capabilities().contains(Capability.PERSISTENT)
        && !Configuration.startsServer(info.name())
        && engine.directory("any", Options.of(info.name(), info.options(), Map.of())) != null;
  }

  /**
   * Returns how an engine takes part if an experiment names no configurations: at the level that
   * every engine gives exactly.
   */
  private static Configuration usual(Named named) {
    return named.like(Durability.PROCESS, Access.SINGLE, "equal");
  }

  private PhaseSpec adjusted(PhaseSpec phase) {
    PhaseSpec threaded = settings.threads() > 0 ? phase.withThreads(settings.threads()) : phase;
    long operations = threaded.operations();
    return threaded.sized(
        operations == 0 ? 0 : Math.max(1, Math.round(operations * settings.scale())),
        threaded.seconds());
  }
}

package io.kvstadium.bench.run;

import io.kvstadium.bench.plan.Plan.LeftOut;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the trials of one experiment as they come in, and makes a result of those so far. */
final class ResultCollector {
  /** The smallest limit of keys that an engine has: not all take longer ones. */
  private static final int SMALL_KEY = 511;

  private static final int LARGE_VALUE = 64 << 20;

  private final Experiment experiment;
  private final Languages languages;
  private final LevelEvidence evidence;
  private final Map<String, List<TrialResult>> trials = new LinkedHashMap<>();
  private final Set<Finding> broken = new LinkedHashSet<>();
  private Map<String, Object> data = Map.of();

  ResultCollector(Experiment experiment, Languages languages, LevelEvidence evidence) {
    this.experiment = experiment;
    this.languages = languages;
    this.evidence = evidence;
    experiment.configurations().forEach(each -> trials.put(each.name(), new ArrayList<>()));
  }

  void add(String configuration, TrialResult trial, Map<String, Object> describedData) {
    List<TrialResult> list = trials.get(configuration);
    if (list == null) {
      throw new IllegalArgumentException("no configuration " + configuration);
    }
    list.add(trial);
    if (!describedData.isEmpty()) { // as that of a failed trial is
      data = describedData;
    }
  }

  /** Takes over the trials of an interrupted run. */
  void restore(ExperimentResult before) {
    for (ConfigurationResult configuration : before.configurations()) {
      configuration.trials().forEach(trial -> add(configuration.name(), trial, before.data()));
    }
  }

  /**
   * How many operations shared one reading of the clock in the first good trial, by phase: the
   * others do the same, because latencies of one and of many do not mix.
   */
  Map<String, Integer> chunks(String configuration) {
    Map<String, Integer> chunks = new LinkedHashMap<>();
    for (TrialResult trial : trials.getOrDefault(configuration, List.of())) {
      if (trial.failure() == null) {
        trial.phases().forEach(phase -> chunks.putIfAbsent(phase.name(), phase.batch()));
      }
    }
    return chunks;
  }

  /** What is known to break promises of what ran. */
  Set<Finding> broken() {
    return broken;
  }

  /**
   * @param leftOut configurations that could not run, of any experiment
   */
  ExperimentResult result(List<LeftOut> leftOut) {
    List<ConfigurationResult> configurations = new ArrayList<>();
    for (Configuration configuration : experiment.configurations()) {
      List<TrialResult> sorted =
          trials.getOrDefault(configuration.name(), List.of()).stream()
              .sorted(Comparator.comparingInt(TrialResult::number))
              .toList();
      configurations.add(result(configuration, null, sorted));
    }
    leftOut.stream()
        .filter(each -> each.experiment().equals(experiment.name()))
        .forEach(
            each -> configurations.add(result(each.configuration(), each.reason(), List.of())));
    return new ExperimentResult(experiment, data, configurations);
  }

  private ConfigurationResult result(
      Configuration configuration, @Nullable String skipped, List<TrialResult> results) {
    String title = configuration.engine();
    String version = "";
    Durability effective = configuration.durability();
    String settings = "";
    String believed = null;
    String description = "";
    List<String> capabilities = List.of();
    try {
      EngineInfo info = languages.engine(configuration).info();
      title = info.title();
      version = info.version();
      description = info.description();
      capabilities = capabilities(info);
      DurabilityMapping mapping = info.durability().get(configuration.durability());
      if (mapping != null) {
        effective = mapping.effective();
        settings = mapping.settings();
        believed = evidence.words(info, mapping);
        if (skipped == null && evidence.isBroken(info, mapping)) {
          String message =
              "torture broke a promise: %s at %s, %s"
                  .formatted(configuration.name(), effective.word(), believed);
          broken.add(new Finding(Finding.Level.WARNING, configuration.name(), message));
        }
      }
      if (skipped == null && !configuration.language().equals(Configuration.JAVA)) {
        info.notes().stream() // of a player: the levels that its store lacks here
            .map(note -> new Finding(Finding.Level.WARNING, configuration.name(), note))
            .forEach(broken::add);
      }
    } catch (BadArgumentException e) {
      if (skipped == null) {
        throw e; // skipped ones may lack their engine
      }
    }
    return new ConfigurationResult(
        configuration,
        title,
        version,
        description,
        effective,
        settings,
        believed,
        capabilities,
        skipped,
        results);
  }

  private static List<String> capabilities(EngineInfo info) {
    List<String> words = new ArrayList<>();
    info.capabilities().forEach(each -> words.add(each.description()));
    if (info.limits().maxKeyBytes() > SMALL_KEY) {
      words.add("keys above %d bytes".formatted(SMALL_KEY));
    }
    if (info.limits().maxValueBytes() > LARGE_VALUE) {
      words.add("values above 64 MiB");
    }
    info.durability()
        .forEach((level, mapping) -> {
          if (level == mapping.effective() && level != Durability.ENGINE_DEFAULT) {
            words.add("durability " + level.word());
          }
        });
    return words;
  }
}

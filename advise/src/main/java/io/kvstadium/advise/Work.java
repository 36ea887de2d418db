package io.kvstadium.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.Planner;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.Durability;
import java.util.List;

/**
 * A suite without configurations, and the settings to run it with.
 *
 * @param share of the data that it has
 */
record Work(Suite suite, Settings settings, double share) {
  /** The settings at a level; the configurations that a plan is given are all that it has. */
  Settings settings(Durability level, boolean named, long memory) {
    return settings.with(copy -> {
      copy.engines = named ? settings.engines() : List.of();
      copy.trials = 0;
      copy.budget = suite.budget();
      copy.durability = level;
      copy.memory = memory;
    });
  }

  /**
   * What runs.
   *
   * @param configurations or none for all engines
   * @throws io.kvstadium.store.BadArgumentException if none can
   */
  Plan plan(
      Languages languages, List<Configuration> configurations, Durability level, long memory) {
    Settings own = settings(level, configurations.isEmpty(), memory);
    String language = languages.asked().getFirst();
    List<Configuration> there =
        configurations.stream().map(each -> each.in(language).named(each.name())).toList();
    return new Planner(languages, own)
        .plan(
            suite.withExperiments(
                suite.experiments().stream().map(each -> each.withConfigurations(there)).toList()));
  }
}

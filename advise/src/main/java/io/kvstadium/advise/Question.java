package io.kvstadium.advise;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.run.Campaign;
import io.kvstadium.bench.run.Schedule;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.store.Durability;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/**
 * What advice is wanted on, and what it is measured with.
 *
 * @param level of all trials
 * @param begins is told what is measured next
 */
record Question(
    Workload workload,
    Languages languages,
    Durability level,
    Needs needs,
    Campaign campaign,
    Consumer<String> begins) {
  Plan plan(Work work, List<Configuration> configurations) {
    return work.plan(languages, configurations, level, needs.memory());
  }

  /**
   * Measures a part of it.
   *
   * @param file of its results
   * @throws CancellationException if it was stopped
   */
  Results measure(String title, String file, Work work, Plan plan, Schedule schedule) {
    begins.accept(title);
    Results results =
        campaign.run(file, plan, work.settings(level, false, needs.memory()), schedule);
    if (!results.complete()) {
      throw new CancellationException();
    }
    return results;
  }
}

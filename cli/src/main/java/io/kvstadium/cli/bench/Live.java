package io.kvstadium.cli.bench;

import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.run.Watcher;

/** Shows the progress of a run on standard error. */
sealed interface Live extends Watcher, AutoCloseable permits LiveText, JsonLines {
  /**
   * Says what is about to run.
   *
   * @param before how many trials are done already
   */
  void begin(Plan plan, int before);

  @Override
  void close();
}

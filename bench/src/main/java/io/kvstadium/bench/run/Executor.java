package io.kvstadium.bench.run;

import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import java.util.function.Consumer;

/** Runs one trial; a fake one makes scheduling testable. */
@FunctionalInterface
public interface Executor {
  /**
   * Runs a trial to its end. A trial that fails in whatever way has a result that says so.
   *
   * @param heap of its process in bytes
   * @param listener is told what the trial reports, except for its end
   */
  Message.Done run(TrialPlan plan, long heap, Consumer<Message> listener);
}

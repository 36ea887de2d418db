package io.kvstadium.bench.run;

import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one trial; a fake executor makes scheduling testable. */
@FunctionalInterface
public interface Executor {
  /**
   * Refuses what it could not give to any trial. Must be called before the first.
   *
   * @return how it will give it, if a reader must know
   * @throws io.kvstadium.store.BadArgumentException with the reason, and what to do
   */
  default List<Finding> check(Resources resources) {
    return List.of();
  }

  /**
   * Refuses options of the Java virtual machine with which no trial could run.
   *
   * @throws io.kvstadium.store.BadArgumentException with the machine's own words
   */
  default void check(List<String> jvm) {}

  /** The folders of engines that its trials use, or {@code null} for those on the class path. */
  default @Nullable String engineFolders() {
    return null;
  }

  /** Whether trials whose plan says so ask for turns, and are stopped between them. */
  default boolean takesTurns() {
    return false;
  }

  /** Returns what it noticed while trials ran that a reader must know. */
  default List<Finding> noticed() {
    return List.of();
  }

  /**
   * Runs a trial to its end. A trial that fails in any way has a result that says so.
   *
   * @param resources what its process gets
   * @param listener receives what the trial reports, except for its end; while it looks at a {@link
   *     Message.Turn}, the trial is stopped
   */
  Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener);
}

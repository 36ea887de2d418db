package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Careless programs: several threads use one store and its tables, cursors, snapshots, transactions
 * and batches at random, close them early, late, twice or for each other, forget them, interrupt
 * each other, and call from inside blocks and readers what is refused there. They get correct
 * answers and the documented exceptions, and nobody waits forever.
 */
interface MisuseTests extends Staged {
  /** See {@link EngineConformance#standsInterruptsDuringCalls}. */
  boolean standsInterruptsDuringCalls();

  /**
   * Limits its own time, so that it can say what hangs, and may be configured to run for hours.
   * Locks time out soon: careless threads often deadlock.
   */
  @Tag("library")
  @ParameterizedTest(name = "virtual threads: {0}")
  @ValueSource(booleans = {false, true})
  @Timeout(value = 2, unit = TimeUnit.DAYS)
  default void carelessProgramsGetRightAnswers(boolean virtual) throws Exception {
    int steps = 400;
    Set<String> impossible = new HashSet<>();
    if (!standsInterruptsDuringCalls()) {
      impossible.add("interrupt");
    }
    try (Store store = stage().openAny()) {
      if (!Files.isDirectory(stage().path())) {
        impossible.add("open twice"); // a server takes any number of clients
        steps = store.capabilities().contains(Capability.PERSISTENT) ? 60 : steps; // and waits long
      }
    }
    new MisuseRun(MisusePlan.of(virtual, steps, impossible), stage().impatiently()).run();
  }
}

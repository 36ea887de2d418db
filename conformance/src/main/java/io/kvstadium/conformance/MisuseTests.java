package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Careless programs: several threads use one store and its tables, cursors, snapshots, transactions
 * and batches at random, close them early, late, twice or for each other, forget them, interrupt
 * each other, and call from inside blocks and readers what is refused there. They meet right
 * answers and the documented exceptions, and nobody waits for ever.
 */
interface MisuseTests extends Staged {
  /** See {@link EngineConformance#standsInterruptsDuringCalls}. */
  boolean standsInterruptsDuringCalls();

  /**
   * Bounds itself, so that it can say what hangs, and may be told to run for hours. Locks are soon
   * given up: careless threads often wait for each other in a circle.
   */
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

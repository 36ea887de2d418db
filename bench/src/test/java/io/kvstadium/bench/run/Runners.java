package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.ControlGroups;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.store.Engines;
import java.util.Map;

/** Runners of trials in Java, with engines on the class path. */
final class Runners {
  private Runners() {}

  static Runner of(
      Engines engines, Settings settings, Executor executor, Watcher watcher, String version) {
    return new Runner(
        Languages.java(engines),
        settings,
        executor,
        watcher,
        version,
        LevelEvidence.DECLARED,
        System::nanoTime);
  }

  static ForkedExecutor executor(long watchdogSeconds) {
    return new ForkedExecutor(watchdogSeconds, null, null, Map.of(), ControlGroups::find);
  }
}

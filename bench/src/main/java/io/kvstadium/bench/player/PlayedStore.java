package io.kvstadium.bench.player;

import io.kvstadium.bench.machine.PageCache;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.BackgroundWork;
import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The store of a trial in another language: opened, closed and made anew as its phases want it. */
final class PlayedStore {
  private final Configuration configuration;
  private final EngineInfo engine;
  private final Player player;
  private final Path directory;
  private Durability level;
  private boolean open;
  private boolean fresh = true;
  private boolean written; // since it was opened last
  private long closeNanos;

  PlayedStore(Configuration configuration, EngineInfo engine, Player player, Path directory) {
    this.configuration = configuration;
    this.engine = engine;
    this.player = player;
    this.directory = directory;
    this.level = configuration.durability();
  }

  /** Has it in the state that a phase wants. */
  void prepare(PhaseSpec spec) throws IOException {
    Durability wanted = spec.durability() == null ? configuration.durability() : spec.durability();
    boolean anew = spec.startsAnew() && !fresh;
    boolean closed = spec.operation() == Operation.OPEN_GET;
    if (wanted != level || anew || closed || spec.cold()) {
      close();
    }
    level = wanted;
    if (anew) {
      FileTrees.remove(directory);
    }
    if (spec.cold()) {
      drop();
    }
    if (!open && !closed) {
      open();
    }
    fresh = false;
    written |= spec.writes();
  }

  /** Drops the caches of the closed store. */
  private void drop() {
    if (written) { // opening replays the log, which must not be part of the cold phase
      open();
      close();
      written = false;
    }
    try {
      if (Files.isDirectory(directory)) {
        PageCache.drop(directory);
      }
    } catch (IOException e) {
      throw new TrialFailure("the caches could not be dropped: " + e.getMessage(), e);
    }
  }

  /** Returns how long it took, in nanoseconds. */
  long open() {
    long nanos = player.does(opening("open", configuration)).nanos();
    open = true;
    return nanos;
  }

  /** A second call does nothing. */
  void close() {
    if (open) {
      open = false;
      closeNanos = player.does(Map.of("task", "close")).nanos();
    }
  }

  /** How long the last close took that closed something. */
  long closeNanos() {
    return closeNanos;
  }

  /** What the engine has left to do, as far as it says so. */
  @Nullable BackgroundWork background() {
    Message.Played now = open ? player.does(Map.of("task", "background")) : null;
    return now == null || now.jobs() == null
        ? null
        : new BackgroundWork(now.jobs(), now.pendingBytes());
  }

  /** The task that plays on it: on a closed one, each call opens it. */
  Map<String, Object> playing() {
    return open
        ? new HashMap<>(Map.of("task", "play"))
        : opening("play_opening", configuration.reopened());
  }

  private Map<String, Object> opening(String name, Configuration as) {
    DurabilityMapping given = engine.durability().get(level);
    Map<String, Object> task = new HashMap<>();
    task.put("task", name);
    task.put("engine", as.engine());
    task.put("directory", directory.toAbsolutePath().toString());
    task.put("options", as.options());
    task.put("durability", (given == null ? level : given.effective()).word());
    task.put("access", as.access().word());
    return task;
  }
}

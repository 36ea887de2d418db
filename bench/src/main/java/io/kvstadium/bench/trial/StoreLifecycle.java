package io.kvstadium.bench.trial;

import io.kvstadium.bench.machine.PageCache;
import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.result.TrialFailure;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Manages a trial's store: opens it, makes it anew for phases that want a new one, and reopens it
 * for those that want it cold.
 */
final class StoreLifecycle implements AutoCloseable {
  private final Opening opening;
  private final Configuration asked;
  private Configuration configuration; // as the store is open
  private final Path directory;
  private Target target;
  private boolean fresh = true;
  private boolean open = true;
  private boolean written; // since it was opened last
  private long closeNanos;

  StoreLifecycle(Opening opening, Configuration configuration, Path directory) {
    this.opening = opening;
    this.asked = configuration;
    this.configuration = configuration;
    this.directory = directory;
    this.target = opening.target(configuration, directory);
  }

  /** Returns the store in the state that the phase wants. */
  Target targetFor(PhaseSpec spec) {
    Durability level = spec.durability() == null ? asked.durability() : spec.durability();
    if (level != configuration.durability()) {
      close();
      configuration = asked.withDurability(level);
    }
    if (spec.startsAnew() && !fresh) {
      close();
      opening.destroy(configuration, directory);
      reopen(opening.target(configuration, directory));
    } else if (spec.operation() == Operation.OPEN_GET) {
      close();
      return new OpeningTarget(opening, configuration, directory);
    } else if (spec.cold()) {
      close();
      if (written) { // opening replays the log, which must not be part of the cold phase
        reopen(opening.again(configuration, directory));
        close();
        written = false;
      }
      drop();
      reopen(opening.again(configuration, directory));
    } else if (!open) {
      reopen(opening.again(configuration, directory));
    }
    fresh = false;
    written |= spec.writes();
    return target;
  }

  /** Replaces the store by a new one, unless nothing was done with it yet. */
  Target anew() {
    if (!fresh) {
      close();
      opening.destroy(configuration, directory);
      reopen(opening.target(configuration, directory));
    }
    fresh = false;
    written = true;
    return target;
  }

  /** Closes the store and opens it again; returns how long opening took, in nanoseconds. */
  long restart() {
    close();
    long begin = System.nanoTime();
    reopen(opening.again(configuration, directory));
    return System.nanoTime() - begin;
  }

  /** Drops the caches. The store is closed, because what a process has mapped stays in memory. */
  private void drop() {
    try {
      if (Files.isDirectory(directory)) { // otherwise in memory, or on a server
        PageCache.drop(directory);
      }
    } catch (IOException e) {
      throw new TrialFailure("the caches could not be dropped: " + e.getMessage(), e);
    }
  }

  /** The store as the last phase left it; perhaps closed. */
  Target target() {
    return target;
  }

  /** Returns how long the last close took that closed something. */
  long closeNanos() {
    return closeNanos;
  }

  private void reopen(Target opened) {
    target = opened;
    open = true;
  }

  /** A second call does nothing. */
  @Override
  public void close() {
    if (open) {
      open = false;
      long begin = System.nanoTime();
      target.close();
      closeNanos = System.nanoTime() - begin;
    }
  }
}

package io.kvstadium.engine.leveldb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/**
 * The names in a directory, made durable when they have changed: the library syncs what it writes
 * to a new log, but not that there is one.
 */
final class NewNames {
  /** The kernel's clock, by which it dates changes, advances at least as often. */
  private static final Duration TICK = Duration.ofMillis(20);

  private final Path directory;

  /** Of the last change that is durable with all others of its time. */
  private volatile FileTime durable = FileTime.from(Instant.EPOCH);

  private final Forcing forcing;

  /** Makes a directory durable. */
  interface Forcing {
    void force(Path directory) throws IOException;
  }

  NewNames(Path directory, Forcing forcing) {
    this.directory = directory;
    this.forcing = forcing;
  }

  /** Returns when each name that the directory has now is durable. */
  void force() throws IOException {
    FileTime changed = Files.getLastModifiedTime(directory);
    if (changed.equals(durable)) {
      return;
    }
    boolean passed = changed.toInstant().plus(TICK).isBefore(Instant.now());
    forcing.force(directory);
    if (passed) { // or another change may follow that has the same time
      durable = changed;
    }
  }
}

package io.kvstadium.engine.sqlite;

import io.kvstadium.store.WriteStalls;
import java.nio.file.Path;
import java.util.List;

/**
 * The commits that moved the log into the database, for which the writer waits. SQLite does not
 * report them, but only they change the file of a database in WAL mode. Used by the writer; {@link
 * #stalls} by all threads.
 */
final class Checkpoints {
  /** A checkpoint of a thousand pages takes longer. */
  private static final long SHORT_NANOS = 1_000_000;

  private final Path file;
  private long changed;
  private volatile WriteStalls stalls = new WriteStalls(0, List.of());

  Checkpoints(Path file) {
    this.file = file;
    this.changed = file.toFile().lastModified();
  }

  /** A commit has ended, which began then. */
  void committed(long begin) {
    long took = System.nanoTime() - begin;
    if (took < SHORT_NANOS) {
      return;
    }
    long now = file.toFile().lastModified();
    if (now != changed) {
      changed = now;
      WriteStalls before = stalls;
      long times = before.causes().isEmpty() ? 1 : before.causes().getFirst().times() + 1;
      stalls =
          new WriteStalls(
              before.nanos() + took,
              List.of(
                  new WriteStalls.Cause(
                      "commits that made a checkpoint", times, "set wal_autocheckpoint higher")));
    }
  }

  WriteStalls stalls() {
    return stalls;
  }
}

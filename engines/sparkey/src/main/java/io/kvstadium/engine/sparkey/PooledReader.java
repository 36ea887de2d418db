package io.kvstadium.engine.sparkey;

import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyReader;
import io.kvstadium.store.engine.help.Interrupts;
import io.kvstadium.store.engine.help.Slot;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/**
 * One of Sparkey's readers, for one thread at a time. The thread that took it has it alone until it
 * is given back. That is soon, since nobody keeps it beyond a single get.
 */
final class PooledReader extends Slot {
  private @Nullable SparkeyReader reader; // null before its first use, and after a failed one

  /** Sparkey's reader, opened if need be. */
  SparkeyReader open(File base) throws IOException {
    SparkeyReader present = reader;
    if (present == null) {
      present = map(base);
      reader = present;
    }
    return present;
  }

  /**
   * Maps the files, again if an interrupt closed one half-way. Not on a separate thread: a virtual
   * thread that waited for that while holding a reader might not get a carrier again while others
   * are busy.
   */
  static SparkeyReader map(File base) throws IOException {
    return Interrupts.deferred(
        () -> Sparkey.openSingleThreadedReader(base),
        e ->
            e instanceof IOException
                && (e instanceof ClosedByInterruptException
                    || Thread.currentThread().isInterrupted()));
  }

  /** Unmaps the files. */
  void close() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}

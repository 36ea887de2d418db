package io.kvstadium.store;

import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.OpenStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The recording of what an application does with a store: each operation with its key, the length
 * of its value and its time, in a file for {@code stadium trace} and {@code stadium bench --trace}.
 * No call ever waits for the file: what comes faster than it can be written is left out and
 * counted, and a full disk ends the recording and nothing else.
 *
 * <p>Begins with the store ({@link OpenOptions#record}, {@code record=FILE} in the URL, or the
 * environment variable {@code STADIUM_RECORD}) or while it is in use, and ends with it or before.
 * Needs {@code kv-stadium-trace} on the class path. Thread-safe.
 */
public interface Recording extends AutoCloseable {
  /**
   * Begins to record an open store.
   *
   * @throws BadArgumentException if the file cannot be written, is no trace, is in the store, or is
   *     being recorded into; or if the store is being recorded already
   * @throws UnsupportedException without {@code kv-stadium-trace}
   */
  static Recording start(Store store, RecordOptions options) {
    Arguments.given("Recording.start", "RecordOptions", options);
    Arguments.given("Recording.start", "store", store);
    if (store instanceof OpenStore<?> open) {
      return open.record(options);
    }
    throw new BadArgumentException(store + " is not a store that this library opened");
  }

  /** The recording of a store, or {@code null} if there is none. */
  static @Nullable Recording of(Store store) {
    return store instanceof OpenStore<?> open ? open.recording() : null;
  }

  /** The file. */
  Path file();

  /** Whether operations are still recorded: not if the file could not be written. */
  boolean isRecording();

  /** How many operations were left out because they came faster than they could be written. */
  long dropped();

  /** Ends it; what was called before is in the file. A second call does nothing. */
  @Override
  void close();
}

package io.kvstadium.store.engine;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Recording;
import java.util.Map;

/**
 * Starts recordings. Found by {@link java.util.ServiceLoader}: {@code kv-stadium-trace} has the one
 * that there is.
 */
public interface RecorderProvider {
  /**
   * Refuses what cannot be recorded into; makes and changes nothing.
   *
   * @throws BadArgumentException if the file cannot be written, is something else, or is being
   *     recorded into
   */
  void check(Recording.Options options);

  /**
   * Begins to record.
   *
   * @param header what the file says of the store; see {@code docs/trace-format.md}
   * @throws BadArgumentException as {@link #check}
   */
  CallRecorder start(Recording.Options options, Map<String, String> header);
}

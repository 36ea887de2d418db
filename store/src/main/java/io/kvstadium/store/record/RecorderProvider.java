package io.kvstadium.store.record;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Recording;
import java.util.Map;

/**
 * Starts recordings. Found by {@link java.util.ServiceLoader}: {@code kv-stadium-trace} has the one
 * that there is.
 */
public interface RecorderProvider {
  /**
   * A system property that, if it is {@code true}, lets no environment variable start a recording:
   * the {@code stadium} command's own stores are not those of the application that is meant.
   */
  String IGNORE_ENVIRONMENT = "stadium.record.ignore.environment";

  /** The environment that may ask for recordings; empty if it must not. */
  static Map<String, String> environment() {
    return Boolean.getBoolean(IGNORE_ENVIRONMENT) ? Map.of() : System.getenv();
  }

  /** Removes what asks for recordings from the environment of a process that is to be started. */
  static void removeFrom(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("STADIUM_RECORD"));
  }

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
   * @param header what the file says of the store; see {@code docs/internals/trace-format.md}
   * @throws BadArgumentException as {@link #check}
   */
  CallRecorder start(Recording.Options options, Map<String, String> header);
}

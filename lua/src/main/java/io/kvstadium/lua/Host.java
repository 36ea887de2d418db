package io.kvstadium.lua;

import java.nio.ByteBuffer;

/** What a script may ask of its server. */
public interface Host {
  /**
   * Executes a request.
   *
   * @param protocol of the reply, 2 or 3
   * @return the reply as it would be sent; valid until the next call
   */
  ByteBuffer call(byte[][] request, int protocol);

  /**
   * Whether the script's user may send a request.
   *
   * @throws ScriptException if there is no such command
   */
  boolean allows(byte[][] request);

  /** Logs a message of the script. */
  void log(int level, String message);

  /**
   * Called again and again while the script runs.
   *
   * @throws Error to end it, whatever it catches
   */
  void check();
}

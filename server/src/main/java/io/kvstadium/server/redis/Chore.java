package io.kvstadium.server.redis;

import io.kvstadium.server.round.Work;

/** Work that nobody waits for. */
interface Chore extends Work {
  @Override
  default void done() {}

  /** The next chore retries what could not be written. */
  @Override
  default void failed(RuntimeException cause) {}
}

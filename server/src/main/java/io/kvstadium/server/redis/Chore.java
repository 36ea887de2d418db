package io.kvstadium.server.redis;

import io.kvstadium.server.round.Work;

/** Work that nobody waits for. */
interface Chore extends Work {
  @Override
  default void done() {}

  /** What could not be written is tried again by the next one. */
  @Override
  default void failed(RuntimeException cause) {}
}

package io.kvstadium.server.execute;

/** Work that nobody waits for. */
public interface Chore extends Task {
  @Override
  default void done() {}

  /** The next chore retries what could not be written. */
  @Override
  default void failed(RuntimeException cause) {}
}

package io.kvstadium.server.database;

/** Somebody who must know whether a key has changed. */
@FunctionalInterface
public interface KeyWatcher {
  /** A watched key has changed. During a turn to write. */
  void spoil();
}

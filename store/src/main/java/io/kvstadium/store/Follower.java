package io.kvstadium.store;

/**
 * A store that is open read-only and follows a writer elsewhere, at its own pace. A store with
 * {@link Capability#CATCH_UP} is one; most read-only stores see the writer's latest state on their
 * own and are not followers.
 */
public interface Follower extends Store {
  /**
   * Makes visible what the writer has written so far. Snapshots and cursors that are open keep
   * their view.
   */
  void catchUp();
}

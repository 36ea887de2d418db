package io.kvstadium.bench.machine;

/** Whether a process can be given a memory limit here. */
public sealed interface Availability {
  /**
   * Memory can be limited.
   *
   * @param parent creates the groups
   */
  record Available(ControlGroups parent) implements Availability {}

  /**
   * Memory cannot be limited.
   *
   * @param reason what is missing
   * @param advice what to do about it
   */
  record Unavailable(String reason, String advice) implements Availability {}
}

package io.kvstadium.advise;

import io.kvstadium.store.Durability;
import org.jspecify.annotations.Nullable;

/** What is to be measured, in parts and as a whole. */
public sealed interface Workload permits TraceWorkload, SuiteWorkload {
  /** What it is, in a line. */
  String description();

  /** How many entries it has. */
  long records();

  /** The bytes of all entries. */
  long bytes();

  /** Of a trial's virtual machine, in bytes. */
  long heap();

  /** The level that the application uses, or {@code null} if that is not known. */
  @Nullable Durability durability();

  /** What of it the last rounds do not try. */
  String untried();

  /**
   * One experiment on a part of the keys.
   *
   * @param oneOf which part of them
   * @param seconds the most that a phase may take
   */
  Work small(int oneOf, double seconds);

  /**
   * Experiments on all keys, with operations that no small one has.
   *
   * @param seconds the most that a phase may take
   */
  Work full(double seconds, Needs needs);
}

package io.kvstadium.bench.machine;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Finding.Level;

/**
 * The outcome of one check.
 *
 * @param topic what it belongs to, such as {@code disk}
 * @param name what it is, such as {@code free space}
 * @param grade how it is
 * @param found what was seen
 * @param advice what to do about it; empty if there is nothing to be done
 */
public record Check(String topic, String name, Grade grade, String found, String advice) {
  /** How something is. */
  public enum Grade {
    /** As it should be. */
    OK,
    /** Good to know. */
    NOTE,
    /** Figures may be off. */
    WARNING
  }

  /** Returns what a reader of a report must know. Not for what is as it should be. */
  public Finding finding() {
    return new Finding(
        grade == Grade.WARNING ? Level.WARNING : Level.NOTE,
        "environment",
        advice.isEmpty() ? found : found + "; " + advice);
  }
}

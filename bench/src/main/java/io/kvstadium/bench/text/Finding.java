package io.kvstadium.bench.text;

/**
 * Something that a reader must know to trust, or distrust, a figure.
 *
 * @param level how serious it is
 * @param subject what it is about: {@code environment}, or the name of a configuration
 * @param message what was found, and what to do about it
 */
public record Finding(Level level, String subject, String message) {
  /** How serious a finding is. */
  public enum Level {
    /** Good to know. */
    NOTE,
    /** Figures may be off. {@code --strict} refuses to run. */
    WARNING
  }
}

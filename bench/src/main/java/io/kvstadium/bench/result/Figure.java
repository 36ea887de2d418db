package io.kvstadium.bench.result;

import io.kvstadium.bench.text.Unit;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number that a trial has, of one of its phases or of all of it. {@link Figures} lists them.
 *
 * @param name in CSV, and in camel case in JSON
 * @param head of its column where people read it, such as {@code CPU /op}
 * @param ofPhase whether each phase has its own, and not the trial as a whole
 * @param better which direction is better
 * @param extractor the value of one trial, or of several together; NaN where it is not known
 */
public record Figure(
    String name,
    String head,
    boolean ofPhase,
    Unit unit,
    Better better,
    ToDoubleFunction<Samples> extractor) {
  /** A speed is positive, and higher is better; of what should be low it is the reciprocal. */
  private static final double RECIPROCAL = 1e9;

  /** Which direction is better. */
  public enum Better {
    HIGHER,
    LOWER,
    /** Neither: it describes. */
    NONE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it is neither a rate nor a time, so that there is more or less of it. */
  public boolean isAmount() {
    return unit != Unit.RATE && unit != Unit.TIME;
  }

  /** The name in JSON: {@code opsPerSecond}. */
  public String camel() {
    return camel(name);
  }

  /** A name of CSV as it is written in JSON. */
  public static String camel(String name) {
    return Pattern.compile("_(.)")
        .matcher(name)
        .replaceAll(m -> m.group(1).toUpperCase(Locale.ROOT));
  }

  /** The value of one trial, or of several together; NaN where it is not known. */
  public double of(Samples samples) {
    return extractor.applyAsDouble(samples);
  }

  /** The value as a program reads it, or {@code null} where it is not known. */
  public @Nullable Object raw(Samples samples) {
    double value = of(samples);
    return Double.isNaN(value) ? null : unit.raw(value);
  }

  /** The value as a person reads it. */
  public String text(Samples samples) {
    return unit.text(of(samples));
  }

  /**
   * A value as statistics compare it: positive, and higher is better. The speed of a time in
   * nanoseconds is its number per second.
   */
  public double speed(double value) {
    return switch (better) {
      case HIGHER -> value;
      case LOWER -> RECIPROCAL / value;
      case NONE -> throw new IllegalStateException("no direction of " + name + " is better");
    };
  }

  /** The value that has a speed. */
  public double ofSpeed(double speed) {
    return better == Better.LOWER ? RECIPROCAL / speed : speed;
  }
}

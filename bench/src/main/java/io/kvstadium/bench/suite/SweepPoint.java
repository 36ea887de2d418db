package io.kvstadium.bench.suite;

import java.util.Locale;

/**
 * An experiment's point in a sweep, which is one workload at several values of one number.
 *
 * @param sweep its name, the same for all its points
 * @param parameter what changes, as in the suite file: {@code records}, {@code value_size} …
 * @param value its value here
 */
public record SweepPoint(String sweep, String parameter, double value) {
  public SweepPoint withValue(double newValue) {
    return new SweepPoint(sweep, parameter, newValue);
  }

  /** Its value as it would be in a suite file. */
  Number number() {
    if (value == Math.rint(value)) {
      return (long) value;
    }
    return value;
  }

  /** Its value as a person writes it: {@code 10,000}. */
  public String label() {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : Double.toString(value);
  }

  /** Such as {@code inserts, records 10,000}. */
  public String title() {
    return sweep + ", " + parameter.replace('_', ' ') + " " + label();
  }
}

package io.kvstadium.bench.text;

/** The unit of a figure: its word in files, and how a person reads it. */
public enum Unit {
  RATE("ops/s"),
  TIME("ns"),
  BYTES("B"),
  /** So many of one for each of another. */
  RATIO(""),
  /** A part of a whole, up to 1. */
  SHARE(""),
  COUNT(""),
  /** 1 if it is so, 0 if not. */
  FLAG("");

  private final String word;

  Unit(String word) {
    this.word = word;
  }

  /** Such as {@code ns}; empty for mere numbers. */
  public String word() {
    return word;
  }

  /** A value with its unit, in three digits; a dash if it is not a number. */
  public String text(double value) {
    if (Double.isNaN(value)) {
      return Units.MISSING;
    }
    return switch (this) {
      case RATE -> Units.rate(value);
      case TIME -> Units.time(value);
      case BYTES -> Units.bytes(value);
      case RATIO -> Units.ratio(value);
      case SHARE -> Units.percent(value);
      case COUNT -> Units.number(value);
      case FLAG -> value > 0 ? "yes" : "no";
    };
  }

  /** The value as a program reads it: a whole number, a fraction, or whether it is so. */
  public Object raw(double value) {
    if (this == FLAG) {
      return value > 0;
    }
    return value == Math.rint(value) && Math.abs(value) < 1L << 53 ? (Object) (long) value : value;
  }
}

package io.kvstadium.trace;

/** How an operation ended. The order is that of the codes in the file. */
public enum Outcome {
  /** A hit, or done. */
  OK,
  /** Nothing was there, or the condition did not hold. */
  MISS,
  /** A transaction lost to another one. */
  CONFLICT,
  /** It threw. */
  FAILED,
  /** The source of an import does not tell. */
  UNKNOWN;

  private static final Outcome[] OUTCOMES = values();

  /** Its code in the file. */
  @SuppressWarnings("EnumOrdinal") // the order is that of the codes
  public int code() {
    return ordinal();
  }

  /** The outcome with this code. */
  @SuppressWarnings("EnumOrdinal") // the order is that of the codes
  public static Outcome of(int code) {
    if (code < 0 || code >= OUTCOMES.length) {
      throw new IllegalArgumentException("there is no outcome with code " + code);
    }
    return OUTCOMES[code];
  }
}

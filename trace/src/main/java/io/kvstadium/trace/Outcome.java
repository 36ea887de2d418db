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
  UNKNOWN
}

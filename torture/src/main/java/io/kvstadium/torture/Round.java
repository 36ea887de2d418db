package io.kvstadium.torture;

import java.util.List;

/**
 * A life, its strikes, and what was found afterwards.
 *
 * @param strikes how many there were before the store was read
 * @param refused whether calls failed before the worker's end
 * @param acknowledged operations in this life
 * @param lost acknowledged operations of any life that are missing
 * @param lostMillis from the return of the oldest lost operation to the strike; 0 if it was not in
 *     this life
 * @param reopenNanos how long the store took to open after the strike; 0 if it did not
 * @param findings whether they break a promise or not
 */
public record Round(
    int strikes,
    boolean refused,
    long acknowledged,
    long lost,
    double lostMillis,
    long reopenNanos,
    List<Finding> findings) {
  public Round {
    findings = List.copyOf(findings);
  }
}

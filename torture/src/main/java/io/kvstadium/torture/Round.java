package io.kvstadium.torture;

import io.kvstadium.torture.check.Finding;
import java.util.List;

/**
 * A session, its faults, and what was found afterwards.
 *
 * @param faults how many there were before the store was read
 * @param refused whether calls failed before the worker's end
 * @param acknowledged operations in this session
 * @param lost acknowledged operations of any session that are missing
 * @param lostMillis from the return of the oldest lost operation to the fault; 0 if it was not in
 *     this session
 * @param reopenNanos how long the store took to open after the fault; 0 if it did not
 * @param findings whether they break a guarantee or not
 */
public record Round(
    int faults,
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

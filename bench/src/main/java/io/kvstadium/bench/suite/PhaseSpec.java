package io.kvstadium.bench.suite;

/**
 * A timed part of a trial.
 *
 * @param name unique in its experiment
 * @param operation what it does
 * @param operations how many in all, or 0 for as many as {@code seconds} allow, or, without those
 *     either, as there are records
 * @param seconds how long, or 0
 * @param threads how many work at once
 * @param batch how many puts or deletes make one atomic batch; 1 for single ones
 * @param readShare for {@link Operation#MIXED}: the share of gets, 0 to 1
 * @param scanLength for {@link Operation#SCAN}: entries per scan
 * @param distribution which keys, as {@link io.kvstadium.bench.data.Distribution#parse} reads it:
 *     {@code uniform}, {@code shuffled} (each once, in random order), {@code zipfian:0.99} …
 */
public record PhaseSpec(
    String name,
    Operation operation,
    long operations,
    double seconds,
    int threads,
    int batch,
    double readShare,
    int scanLength,
    String distribution) {

  /** With another measure: operations, or seconds, or neither. */
  public PhaseSpec sized(long newOperations, double newSeconds) {
    return new PhaseSpec(
        name,
        operation,
        newOperations,
        newSeconds,
        threads,
        batch,
        readShare,
        scanLength,
        distribution);
  }

  /** With so many entries in a batch. */
  public PhaseSpec withBatch(int newBatch) {
    return new PhaseSpec(
        name,
        operation,
        operations,
        seconds,
        threads,
        newBatch,
        readShare,
        scanLength,
        distribution);
  }

  /** With so many threads, if the operation can be shared among them. */
  public PhaseSpec withThreads(int newThreads) {
    int possible = operation.whole() ? 1 : newThreads;
    return new PhaseSpec(
        name, operation, operations, seconds, possible, batch, readShare, scanLength, distribution);
  }
}

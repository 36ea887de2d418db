package io.kvstadium.bench.result;

/**
 * What the harness itself costs on this machine in this run, measured on the null engine.
 *
 * @param timedNanos time per operation with one latency recorded for each, median over trials
 * @param batchedNanos time per operation where only batches of operations are timed
 * @param timerNanos time of one clock read
 * @param p999Nanos 99.9th percentile of the latencies recorded on the null engine: the tail that
 *     the machine, not an engine, is responsible for
 * @param slipNanos schedule slip: how much later than intended the pacer starts operations at a
 *     fixed rate, the median; -1 if unknown, as in files of runs that did not measure it
 * @param slipP99Nanos its 99th percentile, or -1
 */
public record Audit(
    double timedNanos,
    double batchedNanos,
    double timerNanos,
    long p999Nanos,
    long slipNanos,
    long slipP99Nanos) {}

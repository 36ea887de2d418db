package io.kvstadium.bench.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the harness itself costs on this machine in this run, measured on the null engine.
 *
 * @param timedNanos time per operation with one latency recorded for each, median over trials
 * @param batchedNanos time per operation where only batches of operations are timed
 * @param timerNanos time of one clock read
 * @param p999Nanos 99.9th percentile of the latencies recorded on the null engine: the tail that is
 *     due to the machine, not to an engine
 * @param slipNanos schedule slip: how much later than intended the rate limiter starts operations
 *     at a fixed rate, the median; -1 if unknown, as in files of runs that did not measure it
 * @param slipP99Nanos its 99th percentile, or -1
 * @param languages the same for the harness in other languages, by name
 */
public record Audit(
    double timedNanos,
    double batchedNanos,
    double timerNanos,
    long p999Nanos,
    long slipNanos,
    long slipP99Nanos,
    Map<String, Audit> languages) {
  public Audit {
    languages = Collections.unmodifiableMap(new LinkedHashMap<>(languages));
  }

  /** Returns a copy with the audits of other languages. */
  public Audit with(Map<String, Audit> others) {
    return new Audit(
        timedNanos, batchedNanos, timerNanos, p999Nanos, slipNanos, slipP99Nanos, others);
  }

  /** Returns the audit of a language, or this one if that language was not measured. */
  public Audit in(String language) {
    return languages.getOrDefault(language, this);
  }
}

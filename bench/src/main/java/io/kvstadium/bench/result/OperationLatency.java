package io.kvstadium.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * Latencies of one kind of operation in a phase that has several.
 *
 * @param operation such as {@code get}; in a replay, the kind of call
 * @param operations the number that were timed
 * @param histogram service times in nanoseconds, as HdrHistogram's compressed form in Base64
 * @param response times in nanoseconds from the intended start to the end, in the same form, where
 *     operations start at a fixed rate; otherwise {@code null}
 */
public record OperationLatency(
    String operation, long operations, String histogram, @Nullable String response) {}

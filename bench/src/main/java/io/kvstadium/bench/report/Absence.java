package io.kvstadium.bench.report;

/**
 * A figure that is missing, and why.
 *
 * @param configuration whose
 * @param what {@code skipped}, or {@code trial 3 failed}
 * @param reason as it was reported
 */
public record Absence(String configuration, String what, String reason) {}

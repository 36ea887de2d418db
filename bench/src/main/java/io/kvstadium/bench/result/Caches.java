package io.kvstadium.bench.result;

/**
 * What was done so that a phase would not find its files in memory.
 *
 * @param dropped the way: {@code drop_caches}, {@code posix_fadvise} or {@code none}
 * @param resident the share of the store's files that was in the page cache right before the phase,
 *     0 to 1, or -1 if that could not be determined
 */
public record Caches(String dropped, double resident) {}

package io.kvstadium.bench.result;

/**
 * What was done so that a phase would find its files out of memory.
 *
 * @param dropped the way: {@code drop_caches}, {@code posix_fadvise} or {@code none}
 * @param resident the share of the store's files that was in the page cache right before the phase,
 *     0 to 1, or -1 if it could not be told
 */
public record Caches(String dropped, double resident) {}

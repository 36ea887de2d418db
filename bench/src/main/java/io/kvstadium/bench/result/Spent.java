package io.kvstadium.bench.result;

/**
 * How a trial's process spent its time, in seconds.
 *
 * @param start until the virtual machine had started and read its instructions
 * @param warmUp on a store that is thrown away
 * @param phases of the workload, including making and checking keys and values
 * @param rest opening, closing, waits for compaction, syncs, sizes
 */
public record Spent(double start, double warmUp, double phases, double rest) {}

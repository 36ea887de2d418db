package io.kvstadium.bench.result;

/**
 * What a trial's process did with its time, in seconds.
 *
 * @param start until the virtual machine had started and read what to do
 * @param warmUp on a store that is thrown away
 * @param phases of the workload, what keys and values took to make and to check included
 * @param rest opening, closing, waits for compaction, syncs, sizes
 */
public record Spent(double start, double warmUp, double phases, double rest) {}

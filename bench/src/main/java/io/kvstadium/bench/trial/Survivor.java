package io.kvstadium.bench.trial;

/**
 * A key that is looked at after a kill. Its value must be of one of these generations; -1 stands
 * for none at all.
 *
 * @param index of the key
 * @param oldest generation that may be found: equal to the newest if the store promised to keep
 *     what it acknowledged
 * @param newest generation that was written
 */
public record Survivor(long index, int oldest, int newest) {}

package io.kvstadium.bench.result;

import java.util.List;
import java.util.Map;

/**
 * How the clients of a trial reached a store outside of their processes.
 *
 * @param roundTripNanos for each client, the median of a few hundred gets of a missing key, one
 *     after the other while no other client was working: the network's round trip, and the least
 *     that the server does
 * @param startNanos for each phase that several clients ran at once, the upper bound of the time
 *     from the common start signal until the last one had begun
 * @param hosts the host of each client, if they were not on this machine
 */
public record Network(List<Long> roundTripNanos, Map<String, Long> startNanos, List<String> hosts) {
  public Network {
    roundTripNanos = List.copyOf(roundTripNanos);
    hosts = List.copyOf(hosts);
  }
}

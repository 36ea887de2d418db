package io.kvstadium.bench.result;

import java.util.List;
import java.util.Map;

/**
 * How the clients of a trial reached a store that lies outside of their processes.
 *
 * @param roundTripNanos of each client: the median of a few hundred gets of a key that is not
 *     there, one after the other while no other client worked; the network's way there and back,
 *     and the least that the server does
 * @param startNanos of each phase that several clients ran at once: how long after the common word
 *     to begin the last one had begun, at most
 * @param hosts of each client, if they were not on this machine
 */
public record Network(List<Long> roundTripNanos, Map<String, Long> startNanos, List<String> hosts) {
  public Network {
    roundTripNanos = List.copyOf(roundTripNanos);
    hosts = List.copyOf(hosts);
  }
}

package io.kvstadium.server.http;

import java.util.function.Consumer;

/**
 * What serves a request.
 *
 * @param name for the metrics
 * @param handler starts executing the request; on the event loop
 */
public record Route(String name, Consumer<Exchange> handler) {}

/**
 * HTTP: JSON under {@code /v1/} ({@code v1}), and {@linkplain io.kvstadium.server.http.HttpProtocol
 * further protocols} from modules of their own.
 *
 * <p>{@link io.kvstadium.server.http.HttpConnection} parses requests on an event loop, one after
 * the other; a {@link io.kvstadium.server.http.HttpTask} executes one in a commit group; {@link
 * io.kvstadium.server.http.Exchange} answers it. A {@link io.kvstadium.server.http.Scan} is read
 * and sent in portions, the next one only when the client has taken the last.
 */
@NullMarked
package io.kvstadium.server.http;

import org.jspecify.annotations.NullMarked;

package io.kvstadium.server.http;

import java.time.Duration;

/**
 * Limits for clients.
 *
 * @param target bytes of a request's first line
 * @param headers bytes of its headers
 * @param body bytes of its body
 * @param bodies bytes of the bodies of all requests and of all large replies that clients have not
 *     taken yet, together
 * @param reply bytes of a reply that cannot be streamed
 * @param scan bytes of the reply to a scan
 * @param scans how many scans may be open at once: each may hold a snapshot
 * @param connections how many there may be at once
 * @param idle a client that neither sends nor takes anything for this long is cut off
 */
public record HttpLimits(
    int target,
    int headers,
    int body,
    long bodies,
    int reply,
    long scan,
    int scans,
    int connections,
    Duration idle) {
  /** Scans may be of any size: they are streamed. */
  public static final HttpLimits DEFAULT =
      new HttpLimits(
          256 << 10,
          64 << 10,
          64 << 20,
          256 << 20,
          64 << 20,
          Long.MAX_VALUE,
          64,
          10_000,
          Duration.ofMinutes(5));
}

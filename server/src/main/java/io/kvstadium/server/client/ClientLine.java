package io.kvstadium.server.client;

import io.kvstadium.server.protocol.Request;
import java.util.List;
import java.util.Objects;

/** What CLIENT LIST and CLIENT INFO show of a client. */
public final class ClientLine {
  private ClientLine() {}

  /**
   * The line of a client.
   *
   * @param now Unix time in milliseconds
   */
  public static String of(Client client, long now) {
    List<Request> queue = client.queue;
    Client.Buffers buffers = client.buffers();
    Client.Tracked tracked = client.tracked;
    int patterns = client.patterns;
    int shards = client.shardChannels;
    long output = buffers.output();
    return ("id=%d addr=%s laddr=%s fd=-1 name=%s age=%d idle=%d flags=%s db=%d sub=%d psub=%d"
            + " ssub=%d multi=%d qbuf=%d qbuf-free=%d argv-mem=0 multi-mem=%d rbs=0 rbp=0 obl=0"
            + " oll=0 omem=%d tot-mem=%d events=%s cmd=%s user=%s redir=%d resp=%d lib-name=%s"
            + " lib-ver=%s")
        .formatted(
            client.id(),
            client.address(),
            client.localAddress(),
            client.name,
            (now - client.created()) / 1_000,
            (now - client.lastUsed) / 1_000,
            flags(client),
            client.database,
            client.subscriptions - patterns - shards,
            patterns,
            shards,
            queue == null ? -1 : queue.size(),
            buffers.input(),
            buffers.inputFree(),
            client.queuedBytes,
            output,
            buffers.bytes(),
            output > 0 ? "rw" : "r",
            client.lastCommand,
            Objects.requireNonNullElse(client.user, "(none)"),
            tracked == null ? -1 : tracked.redirect(),
            client.protocol,
            client.libraryName,
            client.libraryVersion);
  }

  private static String flags(Client client) {
    Client.Tracked tracked = client.tracked;
    StringBuilder flags = new StringBuilder();
    flags.append(client.monitors ? "O" : "");
    flags.append(client.subscriptions > 0 ? "P" : "");
    flags.append(client.queue != null ? "x" : "");
    flags.append(client.noEvict ? "e" : "");
    flags.append(client.waits() || client.paused ? "b" : "");
    flags.append(tracked != null ? "t" : "");
    flags.append(tracked != null && tracked.isBroken() ? "R" : "");
    flags.append(tracked != null && tracked.broadcast() ? "B" : "");
    return flags.isEmpty() ? "N" : flags.toString();
  }
}

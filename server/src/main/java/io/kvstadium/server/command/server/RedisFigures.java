package io.kvstadium.server.command.server;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.figures.Figures;
import io.kvstadium.server.figures.Statistics;
import java.util.function.Consumer;

/** What the Redis protocol counts; a part of INFO under Prometheus' kind of names. */
public record RedisFigures(ServerContext server) implements Consumer<Figures> {
  @Override
  public void accept(Figures figures) {
    commands(figures);
    clients(figures);
    Statistics statistics = server.statistics();
    figures.counter("stadium_received_bytes", "Bytes received.", statistics.received());
    figures.counter("stadium_sent_bytes", "Bytes sent.", statistics.sent());
    figures.counter("stadium_expired_keys", "Keys removed since due.", statistics.expired());
    figures.counter(
        "stadium_evicted_keys", "Keys removed for want of room.", statistics.evictions());
    figures.counter("stadium_key_hits", "Lookups that found a key.", statistics.hits());
    figures.counter("stadium_key_misses", "Lookups that found none.", statistics.misses());
    statistics
        .errors()
        .forEach((code, count) ->
            figures.counter("stadium_errors", "Errors answered.", count, "code", code));
    keys(figures);
    figures.gauge(
        "stadium_resident_bytes",
        "Memory of the process, the engine's included.",
        ServerInfo.residentBytes());
  }

  private void commands(Figures figures) {
    server
        .counts()
        .sent()
        .forEach((name, count) -> {
          figures.histogram(
              "stadium_command_seconds",
              "From the beginning of a command's execution to its end, without its commit.",
              count.took(),
              "command",
              name);
          figures.counter(
              "stadium_command_failures",
              "Commands that were answered by an error.",
              count.failed().sum() + count.rejected().sum(),
              "command",
              name);
        });
  }

  private void clients(Figures figures) {
    figures.gauge("stadium_clients", "Connected clients.", server.clients().size());
    figures.gauge(
        "stadium_blocked_clients",
        "Clients that wait for keys.",
        server.clients().all().stream().filter(each -> each.client().waits()).count());
    figures.counter("stadium_connections", "Clients that have connected.", Client.connected());
    figures.counter(
        "stadium_rejected_connections",
        "Clients that were not let in.",
        server.statistics().rejected());
    figures.gauge(
        "stadium_client_bytes",
        "Requests and replies in memory.",
        server.clients().budget().used());
    figures.gauge(
        "stadium_client_bytes_limit", "The most of them.", server.clients().budget().max());
  }

  private void keys(Figures figures) {
    if (server.sizeLimit().max() != 0) {
      figures.gauge("stadium_data_bytes", "Keys and values.", server.databases().bytes());
      figures.gauge("stadium_data_bytes_limit", "The most of them.", server.sizeLimit().max());
    }
    server
        .databases()
        .counters()
        .forEach((number, counters) -> {
          String name = Integer.toString(number);
          figures.gauge("stadium_keys", "Keys of a database.", counters.keys(), "db", name);
          figures.gauge(
              "stadium_expiring_keys",
              "Keys of a database that expire.",
              counters.expiring(),
              "db",
              name);
        });
  }
}
